/**
 * A thousand bundles of five resources on the real API server: how long until all are Ready, beside the same
 * writes sent raw by our own client, and what it costs in requests and memory. Then more and more bundles.
 * Writes bench/results/bundles.md.
 *
 * Usage: node bench/bundles.ts [bundles]
 * Small: KEELSON_BENCH_GROWTH=20,40 node bench/bundles.ts 20
 */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { Slots } from "../src/apply/index.ts";
import {
  bundleDefinitions,
  bundleFinalizer,
  bundleLabel,
  plannedObjectsAnnotation,
} from "../src/bundles/index.ts";
import { type Cluster, referenceTo } from "../src/cluster/index.ts";
import { ensureDefinition } from "../src/inventory/index.ts";
import type { JsonObject } from "../src/json/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import { setup } from "../test/built-package.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import {
  creators,
  idleMs,
  inParallel,
  memoryOf,
  openCluster,
  requestsDuring,
  requestsWhenIdle,
  settled,
  startController,
  untilReady,
} from "./controller-bench.ts";
import { growth } from "./owner-growth.ts";

const count = Number(process.argv[2] ?? 1000);
const namespace = "bundles";
const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };
/** As many as the controller has workers. */
const writers = 64;
const longestMs = 15 * 60_000;
const time = "2026-01-01T00:00:00Z";

function bundle(namespace: string, index: number): KubernetesObject {
  const name = `b${index}`;
  const configMap = (suffix: string, data: object, from?: string): object => ({
    name: suffix,
    ...(from === undefined
      ? {}
      : { references: [{ name: "value", resource: from, path: "data.value", example: "x" }] }),
    spec: {
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-${suffix}` },
        data,
      },
    },
  });
  return {
    ...bundleKind,
    metadata: { name, namespace },
    spec: {
      resources: [
        configMap("a", { value: name }),
        configMap("b", { value: "!{value} b" }, "a"),
        configMap("c", { value: "!{value} c" }, "b"),
        configMap("d", { value: "!{value} d" }, "a"),
        {
          name: "e",
          references: [{ name: "value", resource: "c", path: "data.value", example: "x" }],
          spec: {
            object: {
              apiVersion: "v1",
              kind: "Secret",
              metadata: { name: `${name}-e` },
              stringData: { value: "!{value}" },
            },
          },
        },
      ],
    },
  };
}

/** A namespace with the account that controllers would make, and its rights. */
async function makeNamespace(cluster: Cluster, name: string): Promise<void> {
  const group = "rbac.authorization.k8s.io";
  const metadata = { name: "bundles", namespace: name };
  const rule = { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["*"] };
  const account = { name: "default", namespace: name };
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  await cluster.create({ apiVersion: `${group}/v1`, kind: "Role", metadata, rules: [rule] });
  await cluster.create({
    apiVersion: `${group}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: group, kind: "Role", name: "bundles" },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
}

async function prepare(cluster: Cluster): Promise<void> {
  for (const definition of bundleDefinitions) await ensureDefinition(cluster, definition);
  await makeNamespace(cluster, namespace);
}

/** The writes that a bundle comes to, by hand: itself twice, its five objects in their order in between. */
async function writeRaw(cluster: Cluster, created: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = created;
  const { name = "", uid = "" } = metadata;
  const write = (suffix: string, objectKind: string, data: JsonObject): Promise<unknown> =>
    cluster.apply(
      {
        apiVersion: "v1",
        kind: objectKind,
        metadata: {
          name: `${name}-${suffix}`,
          namespace: metadata.namespace ?? "",
          labels: { [bundleLabel]: uid },
          ownerReferences: [
            { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true },
          ],
        },
        ...data,
      },
      { fieldManager: "bench", force: true, createOnly: true },
    );
  const map = (suffix: string, value: string): Promise<unknown> =>
    write(suffix, "ConfigMap", { data: { value } });
  const objects = ["a", "b", "c", "d", "e"].map((suffix) => ({
    group: "",
    version: "v1",
    kind: suffix === "e" ? "Secret" : "ConfigMap",
    name: `${name}-${suffix}`,
  }));
  await cluster.patch(referenceTo(created), "merge", {
    metadata: {
      finalizers: [bundleFinalizer],
      annotations: { [plannedObjectsAnnotation]: JSON.stringify(objects) },
    },
  });
  await map("a", name);
  await Promise.all([map("b", `${name} b`), map("d", `${name} d`)]);
  await map("c", `${name} b c`);
  await write("e", "Secret", { stringData: { value: `${name} b c` } });
  const status = rawStatus(objects);
  await cluster.patch(referenceTo(created), "merge", { status }, { subresource: "status" });
}

/** A status of the size that the controller writes. */
function rawStatus(objects: readonly (JsonObject & { readonly name: string })[]): JsonObject {
  const conditions = ["Blocked", "InProgress", "Ready", "Error"].map((type) => ({
    type,
    status: type === "Ready" ? "True" : "False",
    lastTransitionTime: time,
  }));
  return {
    observedGeneration: 1,
    conditions,
    resourceStatuses: ["a", "b", "c", "d", "e"].map((name) => ({ name, conditions })),
    objects: [...objects],
    history: [
      {
        at: time,
        by: "bench",
        command: "controller",
        counts: { created: 5 },
        objects: objects.map(({ name }) => ({
          key: `/ConfigMap/${namespace}/${name}`,
          action: "created",
        })),
      },
    ],
  };
}

/** Bundles that no controller looks at are created, and each is written as soon as it is there. */
async function sendRaw(cluster: Cluster, place: string): Promise<number> {
  await makeNamespace(cluster, place);
  const slots = new Slots(writers);
  const began = performance.now();
  const writing: Promise<void>[] = [];
  const bundles = Array.from({ length: count }, (_none, index) => bundle(place, index));
  await inParallel(bundles, creators, async (each) => {
    const created = await cluster.create(each);
    writing.push(slots.run(() => writeRaw(cluster, created)));
  });
  await Promise.all(writing);
  return performance.now() - began;
}

async function measure(): Promise<readonly (readonly [string, string])[]> {
  const plane = await startControlPlane({ report: console.log, controllers: false });
  let controller: ChildProcess | undefined;
  try {
    const cluster = await openCluster(plane, namespace);
    await prepare(cluster);
    // Before and after, so that what the machine does meanwhile and how full the server is meet both.
    const rawBefore = await sendRaw(cluster, "raw-before");
    const quiet = await requestsWhenIdle(plane);
    controller = startController(plane.kubeconfig, ["--namespace", namespace]);
    await settled(plane);
    const bundles = Array.from({ length: count }, (_none, index) => bundle(namespace, index));
    let times = { createdMs: 0, readyMs: 0 };
    const { all, leases } = await requestsDuring(plane, async () => {
      times = await untilReady(cluster, bundleKind, namespace, bundles, longestMs);
      await settled(plane);
    });
    const memoryMb = await memoryOf(controller);
    const idle = await requestsWhenIdle(plane, quiet);
    controller.kill("SIGKILL");
    const rawAfter = await sendRaw(cluster, "raw-after");
    await cluster.close();
    const rawMs = (rawBefore + rawAfter) / 2;
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    return [
      ["bundles of 5 resources", String(count)],
      ["created after", seconds(times.createdMs)],
      ["all Ready after", seconds(times.readyMs)],
      [
        "the same writes sent raw (5 objects, 2 of the bundle)",
        `${seconds(rawBefore)} before, ${seconds(rawAfter)} after`,
      ],
      ["ratio to raw", `${(times.readyMs / rawMs).toFixed(2)} ×`],
      // The bench creates every bundle, and watches them once.
      ["requests per bundle", ((all - leases - count - 1) / count).toFixed(1)],
      ["memory of the controller", `${memoryMb.toFixed(0)} MB`],
      [`requests in ${idleMs / 1000} idle seconds, without Leases`, String(idle)],
    ];
  } finally {
    controller?.kill("SIGKILL");
    await plane.stop();
  }
}

await setup();
const begun = loadavg()[0] ?? 0;
const rows = await measure();
const grown = await growth({
  what: "bundles",
  kind: bundleKind,
  namespace,
  prepare,
  ownerOf: (index) => bundle(namespace, index),
});
const lines = [
  "# Bundles",
  "",
  "`node bench/bundles.ts`: the controller in a process of its own, on etcd and the API server alone, which share the",
  `machine with it and with the bench. Raw are the same writes by our own client: bundles are created ${creators} at a time,`,
  `${writers} at a time are written. Load average of ${availableParallelism()} cores: ${begun.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end.`,
  "",
  "| what | measured |",
  "| --- | --- |",
  ...rows.map(([what, value]) => `| ${what} | ${value} |`),
  ...grown,
  "",
];
const folder = new URL("results/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("bundles.md", folder), lines.join("\n"));
console.log(lines.join("\n"));
