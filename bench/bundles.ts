/**
 * A thousand bundles of five resources on the real control plane: how long until all are Ready, what it
 * costs in requests and memory, and what is asked of the API server when nothing happens.
 *
 * Usage: node bench/bundles.ts [bundles]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { bundleDefinitions } from "../src/bundles/index.ts";
import { type Cluster, connectTo } from "../src/cluster/index.ts";
import { bundleReconciler, runControllers } from "../src/controller/index.ts";
import { ensureDefinition } from "../src/inventory/index.ts";
import { fieldAt, objectsIn } from "../src/json/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { settingsOf } from "../test/cluster/test-settings.ts";

const count = Number(process.argv[2] ?? 1000);
const namespace = "bundles";
const bundleKind = { apiVersion: "smith.atlassian.com/v1", kind: "Bundle" };

function bundle(index: number): KubernetesObject {
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

function isReady(object: KubernetesObject): boolean {
  return objectsIn(fieldAt(object, "status", "conditions")).some(
    ({ type, status }) => type === "Ready" && status === "True",
  );
}

async function untilAllReady(cluster: Cluster): Promise<void> {
  const ready = new Set<string>();
  for await (const event of cluster.watch(bundleKind, { namespace })) {
    const objects =
      event.kind === "snapshot" ? event.objects : "object" in event ? [event.object] : [];
    for (const object of objects) if (isReady(object)) ready.add(object.metadata.name ?? "");
    if (ready.size >= count) return;
  }
}

/** Bundles are carried out with the rights of the account of their namespace. */
async function allow(cluster: Cluster): Promise<void> {
  const group = "rbac.authorization.k8s.io";
  const metadata = { name: "bundles", namespace };
  const rule = { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["*"] };
  await cluster.create({ apiVersion: `${group}/v1`, kind: "Role", metadata, rules: [rule] });
  await cluster.create({
    apiVersion: `${group}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: group, kind: "Role", name: "bundles" },
    subjects: [{ kind: "ServiceAccount", name: "default", namespace }],
  });
}

const plane = await startControlPlane();
const lines: string[] = [];
try {
  const cluster = connectTo(await settingsOf(plane.kubeconfig), { namespace });
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const definition of bundleDefinitions) await ensureDefinition(cluster, definition);
  await allow(cluster);
  const stop = new AbortController();
  const leading = Promise.withResolvers<number>();
  const own = connectTo(await settingsOf(plane.kubeconfig), { namespace });
  const ended = runControllers({
    cluster: own,
    reconcilers: [bundleReconciler()],
    signal: stop.signal,
    holder: "bench",
    lease: { namespace, name: "bench" },
    health: { host: "127.0.0.1", port: 0 },
    onLeading: ({ healthPort = 0 }) => {
      leading.resolve(healthPort);
    },
  });
  const port = await leading.promise;
  const requests = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return [...text.matchAll(/^keelson_api_requests_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  };
  const bundles = Array.from({ length: count }, (_none, index) => bundle(index));
  const before = await requests();
  const began = performance.now();
  const waiting = untilAllReady(cluster);
  const queue = [...bundles];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop())
        await cluster.create(next);
    }),
  );
  const createdMs = performance.now() - began;
  await waiting;
  const readyMs = performance.now() - began;
  const used = (await requests()) - before;
  const memory = process.memoryUsage();
  // Renewals of the Lease are all that goes on by itself.
  const idleBegan = performance.now();
  const idleBefore = await requests();
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const idle = (await requests()) - idleBefore;
  const idleSeconds = (performance.now() - idleBegan) / 1000;
  const rows: readonly (readonly [string, string])[] = [
    ["bundles of 5 resources", String(count)],
    ["created after", `${(createdMs / 1000).toFixed(1)} s`],
    ["all Ready after", `${(readyMs / 1000).toFixed(1)} s`],
    ["requests per bundle", (used / count).toFixed(1)],
    [
      "memory of controller and bench",
      `${Math.round(memory.rss / 2 ** 20)} MiB, heap ${Math.round(memory.heapUsed / 2 ** 20)} MiB`,
    ],
    ["requests per second when idle", (idle / idleSeconds).toFixed(2)],
  ];
  lines.push(
    "# Bundles",
    "",
    "`node bench/bundles.ts`: the controller on the real control plane, which shares the machine with it.",
    "",
    "| what | measured |",
    "| --- | --- |",
    ...rows.map(([what, value]) => `| ${what} | ${value} |`),
    "",
  );
  stop.abort();
  await ended;
  await own.close();
  await cluster.close();
} finally {
  await plane.stop();
}
const folder = new URL("results/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("bundles.md", folder), lines.join("\n"));
console.log(lines.join("\n"));
