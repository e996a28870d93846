/**
 * `live apply` of 1,000 mixed objects against raw server-side apply by our own client, kubectl, helm and
 * kapp, on one control plane and in one run. Writes bench/results/live.md and live.svg.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { applyGroup } from "../src/apply/index.ts";
import { type Cluster, connect, selectCluster } from "../src/cluster/index.ts";
import { type KubernetesObject, readObjectsFromText, writeYaml } from "../src/objects/index.ts";
import { ensureProgram } from "../test/cluster/binaries.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { helmPath, kubectlPath } from "../test/cluster/kubectl.ts";
import { mixedObjects, widgetDefinition } from "./mixed-objects.ts";
import { linePlot } from "./line-plot.ts";
import { growth } from "./live-growth.ts";

const count = Number(process.env["KEELSON_BENCH_OBJECTS"] ?? 1000);
const rounds = Number(process.env["KEELSON_BENCH_ROUNDS"] ?? 3);
const longestStepMs = 60_000;
const steps = ["create", "no change", "change 1 %", "prune half", "plan"] as const;
type Step = (typeof steps)[number];

/** One way to bring objects to the cluster; steps that it has not are left out of the table. */
interface Tool {
  readonly name: string;
  /** Measured in one round only: it takes minutes. */
  readonly isSlow?: boolean;
  readonly run: (
    step: Step,
    objects: readonly KubernetesObject[],
    place: Place,
  ) => Promise<boolean>;
}

interface Place {
  readonly namespace: string;
  readonly folder: string;
}

const begun = loadavg()[0] ?? 0;
const controlPlane = await startControlPlane({ report: console.log, controllers: false });
const folder = await mkdtemp(join(tmpdir(), "keelson-bench-"));
try {
  const cluster = await open();
  await cluster.apply(widgetDefinition, { fieldManager: "bench" });
  await until(async () =>
    (await cluster.refreshResources()).preferred("bench.example.com", "Widget"),
  );
  const times = new Map<string, Map<Step, number[]>>();
  const tools = await allTools(cluster);
  for (let round = 0; round < rounds; round++)
    for (const [index, tool] of tools.entries())
      if (round === 0 || tool.isSlow !== true)
        await measure(tool, `t${index}-${round}`, times).catch((error: unknown) => {
          // A peer that cannot do it has no row, or a short one; our own failures end the bench.
          if (tool.isSlow !== true) throw error;
          console.log(`${tool.name} did not finish: ${String(error)}`);
        });
  await cluster.close();
  await publish(times, await growth());
} finally {
  await rm(folder, { recursive: true, force: true });
  await controlPlane.stop();
}

async function open(): Promise<Cluster> {
  const selection = await selectCluster({
    kubeconfig: controlPlane.kubeconfig,
    env: {},
    home: folder,
  });
  if (selection === undefined) throw new Error("the control plane gave no kubeconfig");
  return connect(selection.settings);
}

async function until(isThere: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await isThere()) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the kind Widget is not served");
}

async function measure(
  tool: Tool,
  namespace: string,
  times: Map<string, Map<Step, number[]>>,
): Promise<void> {
  const cluster = await open();
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const place = { namespace, folder: join(folder, namespace) };
  await mkdir(place.folder, { recursive: true });
  const first = mixedObjects(namespace, count, 0);
  const changed = mixedObjects(namespace, count, 0.01);
  const half = changed.slice(0, count / 2);
  const inputs: Readonly<Record<Step, readonly KubernetesObject[]>> = {
    create: first,
    "no change": first,
    plan: changed,
    "change 1 %": changed,
    "prune half": half,
  };
  const own = times.get(tool.name) ?? new Map<Step, number[]>();
  times.set(tool.name, own);
  for (const step of ["create", "no change", "plan", "change 1 %", "prune half"] as const) {
    const started = performance.now();
    const isMeant = await tool.run(step, inputs[step], place);
    const ms = performance.now() - started;
    if (isMeant) own.set(step, [...(own.get(step) ?? []), ms]);
    if (isMeant) console.log(`${tool.name}, ${step}: ${(ms / 1000).toFixed(2)} s`);
  }
  const { items } = await cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, { namespace });
  if (items.length < count / 8) throw new Error(`${tool.name} left ${items.length} ConfigMaps`);
  await cluster.close();
}

async function allTools(cluster: Cluster): Promise<readonly Tool[]> {
  const kubectl = await kubectlPath();
  const helm = await helmPath();
  const tools: Tool[] = [
    rawTool(cluster),
    engineTool(),
    cliTool(),
    kubectlTool(kubectl),
    helmTool(helm),
  ];
  try {
    const kapp = await ensureProgram(
      { name: "kapp", module: "kapp", package: "carvel.dev/kapp/cmd/kapp", version: "v0.64.2" },
      console.log,
    );
    tools.push(kappTool(kapp));
  } catch (error) {
    console.log(`kapp is left out: ${String(error)}`);
  }
  try {
    const kpt = await ensureProgram(
      {
        name: "kpt",
        module: "kpt",
        package: "github.com/GoogleContainerTools/kpt",
        version: "v1.0.0-beta.49",
      },
      console.log,
    );
    tools.push(kptTool(kpt));
  } catch (error) {
    console.log(`kpt is left out: ${String(error)}`);
  }
  return tools;
}

function rawTool(cluster: Cluster): Tool {
  return {
    name: "raw server-side apply",
    run: async (step, objects) => {
      if (step === "plan" || step === "prune half") return false;
      await Promise.all(objects.map((object) => cluster.apply(object, { fieldManager: "bench" })));
      return true;
    },
  };
}

/** The engine in this process, with a connection of its own. */
function engineTool(): Tool {
  return {
    name: "keelson, in process",
    run: async (step, objects, { namespace }) => {
      const cluster = await open();
      const text = objects.map((object) => JSON.stringify(object)).join("\n---\n");
      const { objects: desired } = readObjectsFromText("bench", text);
      const run = await applyGroup({
        cluster,
        group: { name: "bench", namespace, id: `bench-${namespace}`, source: "bench" },
        desired,
        policy: "strict",
        manager: "keelson",
        forceConflicts: false,
        reconcileTimeoutMs: 60_000,
        pruneTimeoutMs: 60_000,
        propagationPolicy: "Background",
        waits: false,
        dryRun: step === "plan",
        holder: "bench",
        leaseWaitMs: 0,
        emit: () => undefined,
        signal: new AbortController().signal,
      });
      if (run.hasFailures || run.hasRefusals) throw new Error(JSON.stringify(run.counts));
      await cluster.close();
      return true;
    },
  };
}

function cliTool(): Tool {
  const bin = new URL("../bin/keelson.js", import.meta.url).pathname;
  return {
    name: "keelson live apply",
    run: async (step, objects, place) => {
      const input = await write(place, [groupOf(place), ...objects]);
      const verb = step === "plan" ? ["plan"] : ["apply", "--no-wait"];
      await spawned(
        process.execPath,
        [bin, "live", ...verb, input, "--kubeconfig", controlPlane.kubeconfig],
        place,
      );
      return true;
    },
  };
}

function groupOf({ namespace }: Place): KubernetesObject {
  return {
    apiVersion: "kpt.dev/v1alpha1",
    kind: "ResourceGroup",
    metadata: { name: "bench", namespace },
  };
}

function kubectlTool(kubectl: string): Tool {
  return {
    name: "kubectl apply --server-side",
    run: async (step, objects, place) => {
      if (step === "prune half") return false;
      const input = await write(place, objects);
      const verb = step === "plan" ? "diff" : "apply";
      await spawned(
        kubectl,
        [verb, "--server-side", "--kubeconfig", controlPlane.kubeconfig, "-f", input],
        place,
        step === "plan" ? [0, 1] : [0],
      );
      return true;
    },
  };
}

function helmTool(helm: string): Tool {
  return {
    name: "helm upgrade --install",
    isSlow: true,
    run: async (step, objects, place) => {
      if (step === "plan") return false;
      const chart = join(place.folder, "chart");
      await mkdir(join(chart, "templates"), { recursive: true });
      await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: bench\nversion: 0.1.0\n");
      await writeFile(join(chart, "templates", "all.yaml"), textOf(objects));
      await spawned(
        helm,
        [
          "upgrade",
          "--install",
          "bench",
          chart,
          "-n",
          place.namespace,
          "--kubeconfig",
          controlPlane.kubeconfig,
        ],
        place,
      );
      return true;
    },
  };
}

function kappTool(kapp: string): Tool {
  return {
    name: "kapp deploy",
    isSlow: true,
    run: async (step, objects, place) => {
      const input = await write(place, objects);
      const flags = step === "plan" ? ["--diff-run"] : ["--yes", "--wait=false"];
      await spawned(
        kapp,
        [
          "deploy",
          "-a",
          "bench",
          "-n",
          place.namespace,
          "-f",
          input,
          "--kubeconfig",
          controlPlane.kubeconfig,
          ...flags,
        ],
        place,
      );
      return true;
    },
  };
}

function kptTool(kpt: string): Tool {
  return {
    name: "kpt live apply",
    isSlow: true,
    run: async (step, objects, place) => {
      if (step === "plan") return false;
      const input = await write({ ...place, folder: join(place.folder, "kpt") }, objects);
      await writeFile(
        join(input, "Kptfile"),
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\n",
      );
      await writeFile(
        join(input, "resourcegroup.yaml"),
        `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: kpt\n  namespace: ${place.namespace}\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: kpt-${place.namespace}\n`,
      );
      await spawned(kpt, ["live", "apply", input, "--output=events"], place);
      return true;
    },
  };
}

function textOf(objects: readonly KubernetesObject[]): string {
  return writeYaml(objects);
}

async function write(
  { folder: own }: Place,
  objects: readonly KubernetesObject[],
): Promise<string> {
  const input = join(own, "input");
  await mkdir(input, { recursive: true });
  await writeFile(join(input, "all.yaml"), textOf(objects));
  return input;
}

function spawned(
  command: string,
  args: readonly string[],
  { folder: home }: Place,
  successes: readonly number[] = [0],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(folder, "cache"),
      KUBECONFIG: controlPlane.kubeconfig,
    };
    const child = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe"],
      env,
      timeout: longestStepMs,
    });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    child.on("error", reject);
    child.on("close", (status) => {
      if (successes.includes(status ?? -1)) resolve();
      else
        reject(
          new Error(`${command} ${args[0] ?? ""} ended with ${status}: ${errors.slice(0, 2000)}`),
        );
    });
  });
}

async function publish(
  times: ReadonlyMap<string, ReadonlyMap<Step, readonly number[]>>,
  grown: Awaited<ReturnType<typeof growth>>,
): Promise<void> {
  const raw = times.get("raw server-side apply");
  const cell = (own: ReadonlyMap<Step, readonly number[]>, step: Step): string => {
    const ms = median(own.get(step) ?? []);
    if (ms === undefined) return "–";
    const base = median(raw?.get(step === "create" ? "create" : "no change") ?? []);
    const ratio =
      base === undefined || step === "prune half" || step === "plan"
        ? ""
        : ` (${(ms / base).toFixed(2)} ×)`;
    return `${(ms / 1000).toFixed(2)} s${ratio}`;
  };
  const rows = [...times].map(
    ([name, own]) => `| ${name} | ${steps.map((step) => cell(own, step)).join(" | ")} |`,
  );
  const growthRows = grown.map(
    ({ objects, createMs, againMs, megabytes }) =>
      `| ${objects} | ${(createMs / 1000).toFixed(2)} s | ${((createMs * 1000) / objects).toFixed(0)} µs | ${(againMs / 1000).toFixed(2)} s | ${((againMs * 1000) / objects).toFixed(0)} µs | ${megabytes} MB |`,
  );
  const text = `# Live apply

${count} objects: a quarter each of ConfigMaps, Deployments, Services and custom objects; without waiting for
readiness. Median of ${rounds} rounds in one run (helm, kapp and kpt: one round), on one machine together with the API server and etcd. In
parentheses: against raw server-side apply of every object by our own client. Load average of ${availableParallelism()} cores:
${begun.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end; times are rough when that is more than the bench itself makes.

| | ${steps.join(" | ")} |
|---|${steps.map(() => "---").join("|")}|
${rows.join("\n")}

kubectl and the raw client do not prune; helm and kpt have no plan of their own. A row without figures is a peer that did not finish a step within a minute.

## Growth

One inventory on the embedded API server, in one process with it; the memory is that of both.

| objects | create | each | again, nothing changed | each | memory |
|---|---|---|---|---|---|
${growthRows.join("\n")}

![time by number of objects](live.svg)
`;
  const results = new URL("results/", import.meta.url);
  await mkdir(results, { recursive: true });
  await writeFile(new URL("live.md", results), text);
  await writeFile(
    new URL("live.svg", results),
    linePlot({
      title: "One inventory: seconds by number of objects",
      x: grown.map(({ objects }) => objects),
      series: [
        { name: "create", y: grown.map(({ createMs }) => createMs / 1000) },
        { name: "again, nothing changed", y: grown.map(({ againMs }) => againMs / 1000) },
      ],
    }),
  );
  console.log(`\n${text}`);
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}
