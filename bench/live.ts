/**
 * `live apply` of mixed objects against raw server-side apply by our own client, kubectl, helm, kapp and
 * kpt, in one run. Writes bench/results/live.md and its pictures. KEELSON_BENCH_OBJECTS says how many
 * objects (1000,5000), KEELSON_BENCH_ROUNDS how often (3), KEELSON_BENCH_TOOLS which tools.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "../src/objects/index.ts";
import { type ControlPlane, startControlPlane } from "../test/cluster/control-plane.ts";
import { growth } from "./live-growth.ts";
import { type Measured, publish } from "./live-report.ts";
import { chosenTools, openCluster, type Place, type Step, type Tool } from "./live-tools.ts";
import { mixedObjects, widgetDefinition } from "./mixed-objects.ts";

const sizes = (process.env["KEELSON_BENCH_OBJECTS"] ?? "1000,5000").split(",").map(Number);
const rounds = Number(process.env["KEELSON_BENCH_ROUNDS"] ?? 3);
const chosen = process.env["KEELSON_BENCH_TOOLS"]?.split(",");
/** With more objects than these, others are measured once. */
const longestRounds = 1000;
/** For a thousand objects; more have as much more. */
const longestStepMs = 60_000;

const load = loadavg()[0] ?? 0;
const folder = await mkdtemp(join(tmpdir(), "keelson-bench-"));
const measured: Measured[] = [];
try {
  const tools = await chosenTools((name) => chosen?.some((word) => name.startsWith(word)) ?? true);
  const isApart = ({ needsOwnControlPlane }: Tool): boolean => needsOwnControlPlane === true;
  await withControlPlane(false, (controlPlane) =>
    measureAll(
      tools.filter((tool) => !isApart(tool)),
      controlPlane,
    ),
  );
  for (const tool of tools.filter(isApart))
    await withControlPlane(true, (controlPlane) => measureAll([tool], controlPlane));
  await publish({
    measured,
    sizes,
    rounds,
    load,
    grown: chosen === undefined ? await growth() : [],
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function withControlPlane(
  controllers: boolean,
  work: (controlPlane: ControlPlane) => Promise<void>,
): Promise<void> {
  const controlPlane = await startControlPlane({ report: console.log, controllers });
  try {
    const cluster = await openCluster(controlPlane.kubeconfig);
    await cluster.apply(widgetDefinition, { fieldManager: "bench" });
    await until(async () =>
      (await cluster.refreshResources()).preferred("bench.example.com", "Widget"),
    );
    await cluster.close();
    await work(controlPlane);
  } finally {
    await controlPlane.stop();
  }
}

async function until(isThere: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await isThere()) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the kind Widget is not served");
}

async function measureAll(tools: readonly Tool[], { kubeconfig }: ControlPlane): Promise<void> {
  for (const objects of sizes)
    for (let round = 0; round < rounds; round++)
      for (const [index, tool] of tools.entries()) {
        const { isOurs = false, isSlow = false, mostObjects = Number.POSITIVE_INFINITY } = tool;
        const isOnce = isSlow || (objects > longestRounds && !isOurs);
        if ((round > 0 && isOnce) || objects > mostObjects) continue;
        const namespace = `t${index}-${objects}-${round}`;
        const place: Place = {
          namespace,
          folder: join(folder, namespace),
          kubeconfig,
          longestStepMs: (longestStepMs * objects) / 1000,
        };
        await mkdir(place.folder, { recursive: true });
        await measure(tool, { objects, round }, place).catch((error: unknown) => {
          // A peer that cannot do it has no row, or a short one; our own failures end the bench.
          if (tool.isSlow !== true) throw error;
          console.log(`${tool.name} did not finish: ${String(error)}`);
        });
      }
}

async function measure(
  tool: Tool,
  { objects: count, round }: Pick<Measured, "objects" | "round">,
  place: Place,
): Promise<void> {
  const { namespace, kubeconfig } = place;
  const cluster = await openCluster(kubeconfig);
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await tool.prepare?.(place);
  const first = mixedObjects(namespace, count, 0);
  const changed = mixedObjects(namespace, count, 0.01);
  const inputs: Readonly<Record<Step, readonly KubernetesObject[]>> = {
    create: first,
    "no change": first,
    plan: changed,
    "change 1 %": changed,
    "prune half": changed.slice(0, count / 2),
  };
  for (const step of ["create", "no change", "plan", "change 1 %", "prune half"] as const) {
    const work = await tool.ready(step, inputs[step], place);
    if (work === undefined) continue;
    const started = performance.now();
    await work();
    const ms = performance.now() - started;
    measured.push({ tool: tool.name, objects: count, step, round, ms });
    console.log(`${tool.name}, ${count} objects, ${step}: ${(ms / 1000).toFixed(2)} s`);
  }
  const { items } = await cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, { namespace });
  if (items.length < count / 8) throw new Error(`${tool.name} left ${items.length} ConfigMaps`);
  await cluster.close();
}
