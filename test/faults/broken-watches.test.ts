/** Runs end well where nothing can be watched, as behind a proxy that answers for the server or holds back. */
import { afterEach, describe, expect, it } from "vitest";
import { systemTiming } from "../../src/cluster/timing.ts";
import type { Cluster, TransportStream } from "../../src/cluster/index.ts";
import { systemClock } from "../../src/sandbox/clock.ts";
import { FaultWorld } from "./fault-world.ts";
import type { StreamLie } from "./lying-transport.ts";

const deployment = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "web:1" }] },
    },
  },
});
const rest = JSON.stringify({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "rest", namespace: "default" },
});

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Says nothing until the request ends. */
async function* silence(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  await new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => {
      resolve();
    });
  });
  yield* [];
}

const page: Partial<TransportStream> = { headers: { "content-type": "text/html" } };
const watches: readonly (readonly [string, StreamLie])[] = [
  ["not found", () => ({ status: 404, body: bytes("404 page not found\n") })],
  ["a page of a proxy", () => ({ ...page, body: bytes("<html>\n<body>log in</body></html>") })],
  ["a page that is not found", () => ({ ...page, status: 404, body: bytes("<html></html>") })],
  ["silent", ({ signal }) => ({ body: silence(signal) })],
  ["over at once", () => ({ body: bytes("") })],
  ["{}", () => ({ body: bytes("{}\n") })],
  ["null", () => ({ body: bytes("null\n") })],
];

describe("where watches are", () => {
  let world: FaultWorld | undefined;
  afterEach(() => {
    world?.close();
  });
  const open = (streamLie: StreamLie): { own: FaultWorld; cluster: Cluster } => {
    world = new FaultWorld({ clock: systemClock });
    return { own: world, cluster: world.misled(() => undefined, streamLie, systemTiming).cluster };
  };
  const place = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "web" };

  it.each(watches)("%s, a run sees what becomes ready and what goes", async (_what, lie) => {
    const { own, cluster } = open(lie);
    expect(await own.apply(cluster, deployment)).toMatchObject({ hasFailures: false });
    const { cluster: free } = own.client();
    await free.patch(place, "merge", { metadata: { finalizers: ["example.com/hold"] } });
    let isHeld = true;
    own.sandbox.context.store.subscribe(({ stored: { name, object } }) => {
      if (!isHeld || name !== "web" || object.metadata.deletionTimestamp === undefined) return;
      isHeld = false;
      void free.patch(place, "merge", { metadata: { finalizers: [] } });
    });
    expect(await own.apply(cluster, rest)).toMatchObject({ hasFailures: false });
    expect(own.inventory()).toEqual(["/ConfigMap/default/rest"]);
    await cluster.view.close();
  });

  it("silent, an object is asked for by name before anybody blames finalizers", async () => {
    const { own, cluster } = open(({ signal }) => ({ body: silence(signal) }));
    const { cluster: free } = own.client();
    await own.apply(free, deployment);
    await free.patch(place, "merge", { metadata: { finalizers: ["example.com/hold"] } });
    own.sandbox.context.store.subscribe(({ type, stored: { name, object } }) => {
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      if (type === "DELETED" || name !== "web" || finalizers.length === 0) return;
      if (deletionTimestamp !== undefined)
        void free.patch(place, "merge", { metadata: { finalizers: [] } }).catch(() => undefined);
    });
    // The deadline comes long before anything is read beside the watch.
    const run = await own.apply(cluster, rest, { timeoutMs: 300 });
    expect(run).toMatchObject({ hasFailures: false });
    await cluster.view.close();
  });
});
