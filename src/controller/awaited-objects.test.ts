import { afterEach, beforeEach, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { ObjectIdentity } from "../objects/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { AwaitedObjects } from "./awaited-objects.ts";

let sandbox: Sandbox;
let cluster: Cluster;
beforeEach(() => {
  sandbox = openSandbox({});
  cluster = clusterOver(new InProcessTransport(sandbox), { namespace: "default" });
});
afterEach(async () => {
  await cluster.close();
  sandbox.close();
});

function identity(kind: string, name: string, namespace = "default", group = ""): ObjectIdentity {
  return { group, kind, namespace, name };
}

/** How an object is found to be, and what is watched because of it. */
async function look(
  wanted: ObjectIdentity,
  find: Cluster["find"] = (reference) => cluster.find(reference),
  namespace?: string,
): Promise<readonly unknown[]> {
  const awaited = new AwaitedObjects({ cluster, rulesOf: undefined, namespace });
  expect(awaited.stateOf(wanted)).toBeUndefined();
  expect(await awaited.read((reference) => find(reference))).toBe(true);
  expect(await awaited.read((reference) => find(reference))).toBe(false);
  const state = awaited.stateOf(wanted);
  const text = state?.kind === "waiting" ? state.why : state?.kind;
  expect(awaited.againMs === undefined).toBe(state?.kind === "ready");
  return [text, ...awaited.watched.map(({ kind, which }) => `${kind} ${which}`)];
}

it("waits for what is not there, and watches it", async () => {
  expect(await look(identity("ConfigMap", "a"))).toEqual([
    "which does not exist",
    "ConfigMap default/a",
  ]);
});

it("waits for what is not ready, and keeps nothing of it but its version", async () => {
  const made = await cluster.create({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "disk", annotations: { note: "private" } },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    status: { phase: "Pending" },
  });
  const awaited = new AwaitedObjects({ cluster, rulesOf: undefined, namespace: undefined });
  awaited.stateOf(identity("PersistentVolumeClaim", "disk"));
  const pending = { ...made, status: { phase: "Pending" } };
  await awaited.read(() => Promise.resolve(pending));
  const [watched] = awaited.watched;
  const { uid, resourceVersion } = made.metadata;
  expect(watched?.seen.map(({ metadata }) => metadata)).toEqual([{ uid, resourceVersion }]);
  expect(watched?.concerns(made)).toBe(true);
});

it("does not wait for what is ready", async () => {
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  expect(await look(identity("ConfigMap", "a"))).toEqual(["ready"]);
});

it("says what keeps it from looking", async () => {
  expect(await look(identity("Gauge", "a", "default", "none.dev"))).toEqual([
    "whose kind the cluster does not serve",
  ]);
  expect(await look(identity("ConfigMap", "a", ""))).toEqual([
    "which must be named with its namespace",
  ]);
  expect(await look(identity("Namespace", "a"))).toEqual(["which has no namespace"]);
  const refuse: Cluster["find"] = () =>
    Promise.resolve().then(() => fail({ code: "live.locked", summary: "you may not" }));
  expect(await look(identity("ConfigMap", "a"), refuse)).toEqual([
    expect.stringMatching(/^which cannot be read: .*you may not/),
  ]);
});

it("leaves what is outside of its own namespace to the next look", async () => {
  const find: Cluster["find"] = () => Promise.resolve(undefined);
  expect(await look(identity("ConfigMap", "a", "other"), find, "default")).toEqual([
    "which does not exist",
  ]);
});
