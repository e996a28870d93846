import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver, type KindView } from "../../src/cluster/index.ts";
import { runControllers } from "../../src/controller/index.ts";
import { LiveView } from "../../src/dashboard/live-view.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { configMap, deployment } from "../devloop/dev-project.ts";
import { patienceMs } from "../patience.ts";
import { CountingTransport } from "./counting-transport.ts";
import { FaultWorld, shop } from "./fault-world.ts";

const inNamespace = (text: string, namespace: string): string =>
  text.replace("metadata:\n", `metadata:\n  namespace: ${namespace}\n`);
const web = JSON.parse(deployment("web")) as { metadata: object };
const three = [
  inNamespace(configMap("settings", "one"), "default"),
  inNamespace(configMap("more", "one"), "default"),
  JSON.stringify({ ...web, metadata: { name: "web", namespace: "default" } }),
].join("\n---\n");
const maps = three.split("\n---\n").slice(0, 2).join("\n---\n");

describe("the watches of a run", () => {
  let world: FaultWorld;
  let sent: CountingTransport;
  let cluster: Cluster;
  beforeEach(async () => {
    world = new FaultWorld();
    sent = new CountingTransport(new InProcessTransport(world.sandbox));
    cluster = clusterOver(sent);
    // The kind of inventories is there already.
    await world.apply(world.client().cluster, inNamespace(configMap("first", "one"), "default"), {
      group: { ...shop, name: "first", id: "first" },
    });
  });
  afterEach(async () => {
    await cluster.close();
    world.close();
  });

  it("an object that is not ready is watched with its children, others are not", async () => {
    expect(await world.apply(cluster, three)).toMatchObject({ hasFailures: false });
    expect(sent.watches().toSorted()).toEqual([
      "deployments in default",
      "pods in default",
      "replicasets in default",
    ]);
  });

  it("what is ready at once needs none, and what was just watched is not watched anew", async () => {
    expect(await world.apply(cluster, maps)).toMatchObject({ hasFailures: false });
    expect(sent.watches()).toEqual([]);
    await world.apply(cluster, three);
    const before = sent.calls.length;
    const changed = three.replace('"image":"none"', '"image":"other"');
    expect(await world.apply(cluster, changed)).toMatchObject({ hasFailures: false });
    expect(sent.watches(before)).toEqual([]);
    const unchanged = sent.calls.length;
    expect(await world.apply(cluster, changed)).toMatchObject({ hasFailures: false });
    expect(sent.watches(unchanged)).toEqual([]);
  });

  it("an object that stays for a while when it is deleted is watched until it is gone", async () => {
    const { cluster: free } = world.client();
    await world.apply(free, three);
    const place = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "web" };
    const hold = (finalizers: string[]): Promise<unknown> =>
      free.patch(place, "merge", { metadata: { finalizers } });
    await hold(["example.com/hold"]);
    let isHeld = true;
    world.sandbox.context.store.subscribe(({ stored: { name, object } }) => {
      if (!isHeld || name !== "web" || object.metadata.deletionTimestamp === undefined) return;
      isHeld = false;
      void hold([]);
    });
    expect(await world.apply(cluster, maps)).toMatchObject({ hasFailures: false });
    expect(sent.watches().toSorted()).toEqual(["deployments in default"]);
  });

  it("an object of which the server says that it is deleted needs no watch", async () => {
    await world.apply(world.client().cluster, three);
    expect(await world.apply(cluster, maps)).toMatchObject({ hasFailures: false });
    expect(sent.watches()).toEqual([]);
  });

  it("the page watches what it shows of each inventory, once", async () => {
    await world.apply(world.client().cluster, three);
    const page = new LiveView({ cluster, description: "a sandbox" });
    const shows = async (count: number): Promise<void> => {
      await expect
        .poll(() => page.view.isComplete && page.view.inventories.length, { timeout: patienceMs })
        .toBe(count);
    };
    try {
      await shows(2);
      const first = sent.watches();
      expect(first.toSorted()).toEqual([
        "configmaps in default",
        "customresourcedefinitions",
        "deployments in default",
        "events in default",
        "jobs in default",
        "pods in default",
        "replicasets in default",
        "resourcegroups",
      ]);
      const before = sent.calls.length;
      const group = { ...shop, name: "third", id: "third" };
      await world.apply(world.client().cluster, inNamespace(configMap("third", "one"), "default"), {
        group,
      });
      await shows(3);
      expect(sent.watches(before)).toEqual([]);
      await world.apply(
        world.client().cluster,
        inNamespace(configMap("fourth", "one"), "kube-public"),
        {
          group: { ...group, name: "fourth", id: "fourth" },
        },
      );
      await shows(4);
      await expect
        .poll(() => sent.watches(before).toSorted())
        .toEqual(["configmaps in kube-public", "events in kube-public"]);
    } finally {
      page.close();
    }
  });

  it("the page beside a controller looks through its watches, and sees no secrets", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", stringData: { password: "hunter2" } };
    const text = JSON.stringify({ ...secret, metadata: { name: "key", namespace: "default" } });
    await world.apply(world.client().cluster, text);
    const stop = new AbortController();
    const leads = Promise.withResolvers<void>();
    let secrets: KindView | undefined;
    const ended = runControllers({
      cluster,
      holder: "test",
      signal: stop.signal,
      onLeading: () => {
        leads.resolve();
      },
      reconcilers: [
        {
          name: "secrets",
          start: ({ informers }) => {
            secrets = informers.use({ apiVersion: "v1", kind: "Secret" });
            return secrets.synced;
          },
          reconcile: () => Promise.resolve({ kind: "done" }),
        },
      ],
    });
    await leads.promise;
    const page = new LiveView({ cluster, description: "a sandbox" });
    try {
      await expect.poll(() => page.view.isComplete, { timeout: patienceMs }).toBe(true);
      const shown = page.world.components.flatMap(({ objects }) => objects);
      expect(shown.map(({ object }) => object["data"])).toContainEqual({ password: "***" });
      const [kept] = [...(secrets?.objects() ?? [])];
      expect(kept?.["data"]).toEqual({ password: "aHVudGVyMg==" });
      expect(sent.watches().filter((what) => what.startsWith("secrets"))).toEqual(["secrets"]);
    } finally {
      page.close();
      stop.abort();
      await ended;
    }
  });
});
