/**
 * Workloads through a supply chain of three steps, by our controller and by Cartographer, each on a real
 * API server of its own in one run: time until all are ready, requests, memory, switching an option, and
 * what is sent when nothing happens. Then our controller alone with more and more workloads. Writes
 * bench/results/supply-chains.md.
 *
 * Small: KEELSON_BENCH_WORKLOADS=20 KEELSON_BENCH_ROUNDS=1 KEELSON_BENCH_GROWTH=20,40
 */
import type { ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { blueprintDefinitions } from "../src/blueprints/index.ts";
import type { Cluster } from "../src/cluster/index.ts";
import { fieldAt } from "../src/json/index.ts";
import { type KubernetesObject, readObjectsFromText } from "../src/objects/index.ts";
import { ensureProgram } from "../test/cluster/binaries.ts";
import { cartographer, cartographerDefinitions } from "../test/cluster/cartographer.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { setup } from "../test/built-package.ts";
import { gitSource, platformYaml, workloadYaml } from "../test/blueprints/platform-yaml.ts";
import {
  idleMs,
  isReady,
  memoryOf,
  openCluster,
  requestsDuring,
  settled,
  startController,
  startProgram,
  untilReady,
} from "./controller-bench.ts";
import { growth } from "./owner-growth.ts";

const owners = Number(process.env["KEELSON_BENCH_WORKLOADS"] ?? 300);
const rounds = Number(process.env["KEELSON_BENCH_ROUNDS"] ?? 3);
const switches = 15;
const longestMs = 180_000;
const root = join(import.meta.dirname, "..");
const namespace = "bench";
const workloads = { apiVersion: "carto.run/v1alpha1", kind: "Workload" };

interface Tool {
  readonly name: string;
  readonly definitions: () => Promise<readonly KubernetesObject[]>;
  readonly start: (kubeconfig: string) => ChildProcess;
}

interface Figures {
  readonly allReadyMs: number[];
  readonly requests: number[];
  readonly memoryMb: number[];
  readonly switchMs: number[];
  readonly idle: { readonly all: number; readonly leases: number }[];
}

await setup();
const begun = loadavg()[0] ?? 0;
const found = new Map<string, Figures>();
const tools = await allTools();
for (const { name } of tools)
  found.set(name, { allReadyMs: [], requests: [], memoryMb: [], switchMs: [], idle: [] });
// By turns, so that whatever else the machine does meets all of them.
for (let round = 0; round < rounds; round++) {
  for (const tool of tools) {
    const figures = found.get(tool.name);
    if (figures === undefined) continue;
    try {
      await measure(tool, figures);
    } catch (error) {
      if (tool.name === "keelson controller") throw error;
      console.log(`${tool.name} did not finish: ${String(error)}`);
    }
  }
}
const grown = await growth({
  what: "workloads",
  kind: workloads,
  namespace,
  prepare: (cluster) =>
    prepare(cluster, { definitions: () => Promise.resolve(blueprintDefinitions) }),
  ownerOf: workload,
});
await writeResults();

async function measure(tool: Tool, figures: Figures): Promise<void> {
  const controlPlane = await startControlPlane({ report: console.log, controllers: false });
  let child: ChildProcess | undefined;
  try {
    const cluster = await openCluster(controlPlane, namespace);
    await prepare(cluster, tool);
    const quiet = await requestsDuring(controlPlane, () => pause(idleMs));
    child = tool.start(controlPlane.kubeconfig);
    await settled(controlPlane);
    const { all, leases } = await requestsDuring(controlPlane, async () => {
      const all = Array.from({ length: owners }, (_, index) => workload(index));
      const { readyMs } = await untilReady(cluster, workloads, namespace, all, longestMs);
      figures.allReadyMs.push(readyMs);
      await settled(controlPlane);
    });
    // The bench creates every workload, and watches them once.
    figures.requests.push((all - leases - owners - 1) / owners);
    figures.memoryMb.push(await memoryOf(child));
    for (let index = 0; index < switches; index++)
      figures.switchMs.push(await switchOption(cluster, `w${index}`));
    await settled(controlPlane);
    const idle = await requestsDuring(controlPlane, () => pause(idleMs));
    figures.idle.push({
      all: Math.max(0, idle.all - idle.leases - (quiet.all - quiet.leases)),
      leases: idle.leases - quiet.leases,
    });
    console.log(tool.name, JSON.stringify(figures));
    await cluster.close();
  } finally {
    child?.kill("SIGKILL");
    await controlPlane.stop();
  }
}

async function allTools(): Promise<readonly Tool[]> {
  const tools: Tool[] = [
    {
      name: "keelson controller",
      definitions: () => Promise.resolve(blueprintDefinitions),
      start: (kubeconfig) => startController(kubeconfig),
    },
  ];
  try {
    const { version } = cartographer;
    const program = await ensureProgram(cartographer, console.log);
    for (const [name, more] of [
      [`Cartographer ${version}`, []],
      [`Cartographer ${version}, 16 workers`, ["--max-concurrent-workloads", "16"]],
    ] as const)
      tools.push({
        name,
        definitions: cartographerDefinitions,
        start: (kubeconfig) => startProgram(program, more, { KUBECONFIG: kubeconfig }),
      });
  } catch (error) {
    console.log(`Cartographer is left out: ${String(error)}`);
  }
  return tools;
}

/** Definitions, a platform, a namespace with the account that controllers would make, and its rights. */
async function prepare(
  cluster: Cluster,
  { definitions }: Pick<Tool, "definitions">,
): Promise<void> {
  for (const definition of await definitions())
    await cluster.apply(definition, { fieldManager: "bench" });
  await until(async () =>
    (await cluster.refreshResources()).find({ ...workloads, kind: "ClusterTemplate" }),
  );
  const yaml = `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: stamp}
rules: [{apiGroups: [""], resources: [configmaps], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: stamp}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: stamp}
subjects: [{kind: ServiceAccount, name: default, namespace: ${namespace}}]
---
${platform()}`;
  for (const { object } of readObjectsFromText("platform.yaml", yaml).objects)
    await cluster.apply(object, { fieldManager: "bench" });
}

function platform(): string {
  return platformYaml("carto.run")
    .replaceAll("UNIQUE", namespace)
    .replaceAll("key: workload.spec", "key: spec")
    .replace(
      "revisionPath: .metadata.annotations['example.com/found']",
      "revisionPath: .data.image",
    );
}

function workload(index: number): KubernetesObject {
  const yaml = workloadYaml(`w${index}`, gitSource, "carto.run").replaceAll("UNIQUE", namespace);
  const [sourced] = readObjectsFromText("workload.yaml", yaml).objects;
  if (sourced === undefined) throw new Error("no workload");
  return sourced.object;
}

/** From the change of a workload until it is ready by the other option. */
async function switchOption(cluster: Cluster, name: string): Promise<number> {
  const began = performance.now();
  await cluster.patch({ ...workloads, namespace, name }, "merge", {
    spec: { source: { git: null, image: "i" } },
  });
  const signal = AbortSignal.timeout(longestMs);
  for await (const event of cluster.watch(workloads, { namespace, signal })) {
    if (event.kind === "bookmark") continue;
    const objects = event.kind === "snapshot" ? event.objects : [event.object];
    const object = objects.find(({ metadata }) => metadata.name === name);
    const stamped = fieldAt(object, "status", "resources", 0, "stampedRef", "name");
    if (object !== undefined && stamped === `${name}-bundle` && isReady(object)) break;
  }
  return performance.now() - began;
}

async function until(isTrue: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + longestMs;
  while ((await isTrue()) === undefined) {
    if (performance.now() > deadline) throw new Error("the control plane does not serve the kinds");
    await pause(50);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

async function writeResults(): Promise<void> {
  const lines = [
    "# Supply chains",
    "",
    `${owners} workloads through a chain of three steps, of which the first has two options; every step stamps a`,
    `ConfigMap. Each tool on an API server of its own, all on one machine, medians of ${rounds} rounds; ${switches} switches`,
    "of an option in each. Requests are counted by the API server, without Leases and without those of the bench.",
    `Load average of ${availableParallelism()} cores: ${begun.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end.`,
    "",
    `| | all ready | requests per workload | memory | option switched | requests in ${idleMs / 1000} idle seconds | of Leases |`,
    "|---|---|---|---|---|---|---|",
  ];
  for (const [name, figures] of found) {
    if (figures.allReadyMs.length === 0) {
      lines.push(`| ${name} | – | – | – | – | – | – |`);
      continue;
    }
    lines.push(
      `| ${name} | ${(median(figures.allReadyMs) / 1000).toFixed(2)} s | ${median(figures.requests).toFixed(1)} | ${median(figures.memoryMb).toFixed(0)} MB | ${median(figures.switchMs).toFixed(0)} ms | ${median(figures.idle.map(({ all }) => all))} | ${median(figures.idle.map(({ leases }) => leases))} |`,
    );
  }
  lines.push(...grown);
  await mkdir(join(root, "bench", "results"), { recursive: true });
  await writeFile(join(root, "bench", "results", "supply-chains.md"), `${lines.join("\n")}\n`);
  console.log(lines.join("\n"));
}
