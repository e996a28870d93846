/** Server-side apply of 1,000 ConfigMaps: our client against kubectl, on one control plane. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, connectTo, selectCluster } from "../src/cluster/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { kubectlPath } from "../test/cluster/kubectl.ts";

const count = 1000;
const rounds = 3;

const controlPlane = await startControlPlane({ report: console.log, controllers: false });
const folder = await mkdtemp(join(tmpdir(), "keelson-bench-"));
try {
  const selection = await selectCluster({
    kubeconfig: controlPlane.kubeconfig,
    env: {},
    home: folder,
  });
  if (selection === undefined) throw new Error("the control plane gave no kubeconfig");
  const rows: Row[] = [];
  // Taking turns keeps a slow moment of the machine from hitting only one of them.
  for (let round = 0; round < rounds; round++) {
    const ours = connectTo(selection.settings);
    rows.push(
      await measure("keelson", `ours-${round}`, ours, (objects) => applyAll(ours, objects)),
    );
    const kubectl = await kubectlPath();
    rows.push(
      await measure(
        "kubectl apply --server-side",
        `theirs-${round}`,
        ours,
        async (objects, namespace) => {
          const file = join(folder, `${namespace}.json`);
          await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
          await run(kubectl, [
            "apply",
            "--server-side",
            `--kubeconfig=${controlPlane.kubeconfig}`,
            `--filename=${file}`,
          ]);
        },
      ),
    );
    await ours.close();
  }
  print(rows);
} finally {
  await rm(folder, { recursive: true, force: true });
  await controlPlane.stop();
}

interface Row {
  readonly tool: string;
  readonly createMs: number;
  readonly againMs: number;
}

type Apply = (objects: readonly KubernetesObject[], namespace: string) => Promise<void>;

async function measure(
  tool: string,
  namespace: string,
  cluster: Cluster,
  apply: Apply,
): Promise<Row> {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const objects = Array.from({ length: count }, (_, index) => configMap(namespace, index));
  const createMs = await timed(() => apply(objects, namespace));
  const againMs = await timed(() => apply(objects, namespace));
  const { items } = await cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, { namespace });
  if (items.length !== count) throw new Error(`${tool} left ${items.length} ConfigMaps`);
  return { tool, createMs, againMs };
}

function configMap(namespace: string, index: number): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `settings-${index}`, namespace, labels: { part: String(index % 10) } },
    data: { index: String(index), text: "some lines of configuration\n".repeat(8) },
  };
}

async function applyAll(cluster: Cluster, objects: readonly KubernetesObject[]): Promise<void> {
  await Promise.all(objects.map((object) => cluster.apply(object, { fieldManager: "bench" })));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${command} failed with ${status}`));
    });
  });
}

function print(rows: readonly Row[]): void {
  const tools = Map.groupBy(rows, ({ tool }) => tool);
  const medians = [...tools].map(([tool, own]) => ({
    tool,
    createMs: median(own.map(({ createMs }) => createMs)),
    againMs: median(own.map(({ againMs }) => againMs)),
  }));
  const [ours] = medians;
  if (ours === undefined) return;
  console.log(`\n${count} ConfigMaps, median of ${rounds} rounds\n`);
  console.log("| tool | create | ratio | again, unchanged | ratio |");
  console.log("|---|---|---|---|---|");
  for (const { tool, createMs, againMs } of medians) {
    console.log(
      `| ${tool} | ${seconds(createMs)} | ${ratio(createMs / ours.createMs)} | ${seconds(againMs)} | ${ratio(againMs / ours.againMs)} |`,
    );
  }
}

function median(values: readonly number[]): number {
  return (
    [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function ratio(value: number): string {
  return `${value.toFixed(2)} ×`;
}
