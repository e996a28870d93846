import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver, type KindView } from "../../cluster/index.ts";
import { identityOf } from "../../objects/index.ts";
import { openSandbox, type Sandbox } from "../../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../sandbox/in-process-transport.ts";
import { connectToCluster } from "./connect-to-cluster.ts";
import { jsonLog } from "./log.ts";
import type { Reconciler } from "./reconciler.ts";
import { runControllers, type RunControllersOptions } from "./run-controllers.ts";

const configMaps = { apiVersion: "v1", kind: "ConfigMap" };
const lease = { namespace: "default", name: "test-controller" };

/** Gives every ConfigMap with a label its mark; fails for those that say so. */
function marker(by: string): Reconciler & { readonly failures: string[] } {
  const failures: string[] = [];
  let marked: KindView | undefined;
  return {
    name: "marks",
    failures,
    async start({ informers, queue }) {
      marked = informers.use(configMaps, { labelSelector: "mark" });
      marked.subscribe(({ object }) => {
        queue.add(`${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`);
      });
      await marked.synced;
    },
    async reconcile(key, { cluster, events }) {
      const [namespace = "", name = ""] = key.split("/");
      const found = marked?.get({ group: "", kind: "ConfigMap", namespace, name });
      const data = (found?.["data"] ?? {}) as Readonly<Record<string, string>>;
      if (found === undefined || data["by"] !== undefined) return { kind: "done" };
      if (data["fail"] !== undefined && failures.length < 2) {
        failures.push(key);
        throw new Error("not yet");
      }
      const answer = await cluster.patch(
        { ...configMaps, namespace, name },
        "merge",
        { data: { by } },
        {},
      );
      marked?.remember(answer);
      expect(marked?.get(identityOf(answer))).toMatchObject({ data: { by } });
      events.record(answer, { type: "Normal", reason: "Marked", message: `marked by ${by}` });
      return { kind: "done" };
    },
  };
}

describe("running controllers", () => {
  let sandbox: Sandbox;
  let cluster: Cluster;
  const running: { readonly stop: () => Promise<void> }[] = [];
  beforeEach(() => {
    sandbox = openSandbox({ workloads: false });
    cluster = clusterOver(new InProcessTransport(sandbox));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ stop }) => stop()));
    sandbox.close();
  });

  /** Resolves when the process leads; stopping resolves with what the run threw, if anything. */
  function begin(holder: string, more: Partial<RunControllersOptions> = {}) {
    const controller = new AbortController();
    const leads = Promise.withResolvers<number | undefined>();
    const lines: string[] = [];
    const ended = runControllers({
      cluster,
      reconcilers: [marker(holder)],
      signal: controller.signal,
      holder,
      lease,
      log: jsonLog({ level: "info", write: (line) => lines.push(line) }),
      onLeading: ({ healthPort }) => {
        leads.resolve(healthPort);
      },
      ...more,
    }).catch((error: unknown) => error);
    const run = {
      leads: leads.promise,
      lines,
      ended,
      stop: async () => {
        controller.abort();
        await ended;
      },
    };
    running.push(run);
    return run;
  }

  const create = (name: string, data = {}) =>
    cluster.create({
      ...configMaps,
      metadata: { name, namespace: "default", labels: { mark: "" } },
      data,
    });

  async function untilMarked(name: string): Promise<unknown> {
    const signal = AbortSignal.timeout(20_000);
    for await (const event of cluster.watch(configMaps, { namespace: "default", signal })) {
      const objects =
        event.kind === "snapshot" ? event.objects : "object" in event ? [event.object] : [];
      for (const object of objects) {
        const by = (object["data"] as Record<string, unknown> | undefined)?.["by"];
        if (object.metadata.name === name && by !== undefined) return by;
      }
    }
    return undefined;
  }

  it("works on what was there before and on what comes, and tries again what failed", async () => {
    await create("early");
    const run = begin("anna");
    await run.leads;
    expect(await untilMarked("early")).toBe("anna");
    await create("late", { fail: "twice" });
    expect(await untilMarked("late")).toBe("anna");
    expect(run.lines.filter((line) => line.includes("will be tried again"))).toHaveLength(2);
    await run.stop();
    const { items } = await cluster.list({ apiVersion: "v1", kind: "Event" });
    expect(items.map(({ reason, message }) => [reason, message])).toEqual([
      ["Marked", "marked by anna"],
      ["Marked", "marked by anna"],
    ]);
  });

  it("lets one lead, and the other go on at once when it stops", async () => {
    const anna = begin("anna");
    await anna.leads;
    const bert = begin("bert");
    await create("first");
    expect(await untilMarked("first")).toBe("anna");
    await anna.stop();
    await bert.leads;
    await create("second");
    expect(await untilMarked("second")).toBe("bert");
    expect(bert.lines.some((line) => line.includes('"leader":"anna"'))).toBe(true);
  });

  it("takes over from one that died when its Lease has run out", async () => {
    const now = new Date(Date.now() - 1500).toISOString().replace("Z", "000Z");
    await cluster.create({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: lease,
      spec: { holderIdentity: "dead", leaseDurationSeconds: 2, acquireTime: now, renewTime: now },
    });
    const run = begin("anna");
    await run.leads;
    await create("left");
    expect(await untilMarked("left")).toBe("anna");
  });

  it("stops with an error when the lead is lost", async () => {
    const run = begin("anna", { leaseSeconds: 1 });
    await run.leads;
    const kind = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
    for (let attempt = 0; attempt < 20; attempt++) {
      const held = await cluster.get({ ...kind, ...lease });
      const { annotations: _dropped, ...metadata } = held.metadata;
      const taken = {
        ...held,
        metadata,
        spec: { ...(held["spec"] as object), holderIdentity: "bert" },
      };
      if ((await cluster.update(taken).catch(() => undefined)) !== undefined) break;
    }
    expect(await run.ended).toMatchObject({ diagnostics: [{ code: "controller.lead-lost" }] });
  });

  it("serves health, readiness and metrics", async () => {
    const run = begin("anna", { health: { host: "127.0.0.1", port: 0 } });
    const port = (await run.leads) ?? 0;
    expect(run.lines.join("")).toContain(`"url":"http://127.0.0.1:${port}"`);
    await create("counted");
    await untilMarked("counted");
    const get = async (path: string): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await get("/healthz")).toBe("200 ok\n");
    expect(await get("/readyz")).toBe("200 ok\n");
    expect(await get("/nothing")).toMatch(/^404 /);
    const metrics = await get("/metrics");
    expect(metrics).toContain('keelson_api_requests_total{verb="patch",kind="ConfigMap"} 1');
    expect(metrics).toContain("keelson_leader 1");
    expect(metrics).toMatch(/keelson_queue_depth\{controller="marks"\} \d/);
    expect(metrics).toContain("keelson_cached_objects 1");
    const other = begin("bert", { health: { host: "127.0.0.1", port } });
    expect(await other.ended).toMatchObject({ diagnostics: [{ code: "controller.port-taken" }] });
  });
});

it("says when there is no cluster to connect to", async () => {
  const empty = { ...process.env };
  const home = process.env["HOME"];
  process.env["HOME"] = "/nonexistent";
  delete process.env["KUBECONFIG"];
  try {
    await expect(connectToCluster()).rejects.toMatchObject({
      diagnostics: [{ code: "controller.no-cluster" }],
    });
  } finally {
    process.env["HOME"] = home;
    if (empty["KUBECONFIG"] !== undefined) process.env["KUBECONFIG"] = empty["KUBECONFIG"];
  }
});
