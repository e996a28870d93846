import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyGroup, planGroup } from "../src/apply/index.ts";
import { type Cluster, connectTo, selectCluster } from "../src/cluster/index.ts";
import { type KubernetesObject, readObjectsFromText, writeYaml } from "../src/objects/index.ts";
import { ensureProgram, type GoProgram } from "../test/cluster/binaries.ts";
import { kpt } from "../test/cluster/kpt.ts";
import { helmPath, kubectlPath } from "../test/cluster/kubectl.ts";

export const steps = ["create", "no change", "change 1 %", "prune half", "plan"] as const;
export type Step = (typeof steps)[number];

/** One way to bring objects to a cluster; steps that it has not are left out of the table. */
export interface Tool {
  readonly name: string;
  /** Measured in every round, however many objects there are: the others only up to a thousand. */
  readonly isOurs?: boolean;
  /** Measured in one round only: it takes minutes. */
  readonly isSlow?: boolean;
  /** More would take longer than all others together. */
  readonly mostObjects?: number;
  /** It waits for readiness, for which controllers must run, and brings a definition of its own. */
  readonly needsOwnControlPlane?: boolean;
  /** What is done once, before anything is measured. */
  readonly prepare?: (place: Place) => Promise<void>;
  /** Writes down what it needs, and gives what is then measured; undefined for a step that it has not. */
  readonly ready: (
    step: Step,
    objects: readonly KubernetesObject[],
    place: Place,
  ) => Promise<(() => Promise<void>) | undefined>;
}

/** Where a tool works. */
export interface Place {
  readonly namespace: string;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly longestStepMs: number;
}

export async function openCluster(kubeconfig: string): Promise<Cluster> {
  const selection = await selectCluster({ kubeconfig, env: {}, home: "/nonexistent" });
  if (selection === undefined) throw new Error("the control plane gave no kubeconfig");
  return connectTo(selection.settings);
}

const kapp: GoProgram = {
  name: "kapp",
  module: "kapp",
  package: "carvel.dev/kapp/cmd/kapp",
  version: "v0.64.2",
};

/** Ourselves and the peers that are asked for; those that cannot be built are said and left out. */
export async function chosenTools(isChosen: (name: string) => boolean): Promise<readonly Tool[]> {
  // A server grows slower with every object: what all is compared with is measured before and after us.
  const tools: Tool[] = [rawTool(), engineTool(), cliTool(), rawTool()];
  for (const [name, path, toolOf] of [
    ["kubectl", kubectlPath, kubectlTool],
    ["helm", helmPath, helmTool],
    ["kapp", () => ensureProgram(kapp, console.log), kappTool],
    ["kpt", () => ensureProgram(kpt, console.log), kptTool],
  ] as const) {
    if (!isChosen(name)) continue;
    try {
      tools.push(toolOf(await path()));
    } catch (error) {
      console.log(`${name} is left out: ${String(error)}`);
    }
  }
  return tools.filter((tool) => isChosen(tool.name));
}

function rawTool(): Tool {
  return {
    name: "raw server-side apply",
    isOurs: true,
    ready: async (step, objects, { kubeconfig }) => {
      if (step === "plan" || step === "prune half") return undefined;
      return async () => {
        const cluster = await openCluster(kubeconfig);
        await Promise.all(
          objects.map((object) => cluster.apply(object, { fieldManager: "bench" })),
        );
        await cluster.close();
      };
    },
  };
}

/** The engine in this process, with a connection of its own. */
function engineTool(): Tool {
  return {
    name: "keelson, in process",
    isOurs: true,
    ready: async (step, objects, { namespace, kubeconfig }) => {
      const text = objects.map((object) => JSON.stringify(object)).join("\n---\n");
      return async () => {
        const cluster = await openCluster(kubeconfig);
        const { objects: desired } = readObjectsFromText("bench", text);
        const run = await (step === "plan" ? planGroup : applyGroup)({
          cluster,
          group: { name: "bench", namespace, id: `bench-${namespace}`, source: "bench" },
          desired: { objects: desired, invalid: [], components: [] },
          prune: { kind: "all" },
          policy: "strict",
          manager: "keelson",
          forceConflicts: false,
          validation: "fail",
          write: {
            reconcileTimeoutMs: 60_000,
            pruneTimeoutMs: 60_000,
            propagationPolicy: "Background",
            waits: false,
            waitsForJobs: false,
          },
          command: "apply",
          holder: "bench",
          leaseWaitMs: 0,
          emit: () => undefined,
          signal: new AbortController().signal,
        });
        if (run.hasFailures || run.hasRefusals) throw new Error(JSON.stringify(run.counts));
        await cluster.close();
      };
    },
  };
}

function cliTool(): Tool {
  const bin = new URL("../bin/keelson.js", import.meta.url).pathname;
  return {
    name: "keelson live apply",
    isOurs: true,
    ready: async (step, objects, place) => {
      const input = await write(place, [groupOf(place), ...objects]);
      const verb = step === "plan" ? ["plan"] : ["apply", "--no-wait"];
      return () =>
        spawned(
          process.execPath,
          [bin, "live", ...verb, input, "--kubeconfig", place.kubeconfig],
          place,
        );
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
    ready: async (step, objects, place) => {
      if (step === "prune half") return undefined;
      const input = await write(place, objects);
      const verb = step === "plan" ? "diff" : "apply";
      return () =>
        spawned(
          kubectl,
          [verb, "--server-side", "--kubeconfig", place.kubeconfig, "-f", input],
          place,
          step === "plan" ? [0, 1] : [0],
        );
    },
  };
}

function helmTool(helm: string): Tool {
  return {
    name: "helm upgrade --install",
    isSlow: true,
    mostObjects: 1000,
    ready: async (step, objects, place) => {
      if (step === "plan") return undefined;
      const chart = join(place.folder, "chart");
      await mkdir(join(chart, "templates"), { recursive: true });
      await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: bench\nversion: 0.1.0\n");
      await writeFile(join(chart, "templates", "all.yaml"), textOf(objects));
      return () =>
        spawned(
          helm,
          [
            "upgrade",
            "--install",
            "bench",
            chart,
            "-n",
            place.namespace,
            "--kubeconfig",
            place.kubeconfig,
          ],
          place,
        );
    },
  };
}

function kappTool(kapp: string): Tool {
  return {
    name: "kapp deploy",
    isSlow: true,
    ready: async (step, objects, place) => {
      const input = await write(place, objects);
      const flags = step === "plan" ? ["--diff-run"] : ["--yes", "--wait=false"];
      return () =>
        spawned(
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
            place.kubeconfig,
            ...flags,
          ],
          place,
        );
    },
  };
}

function kptTool(kpt: string): Tool {
  return {
    name: "kpt live apply",
    isSlow: true,
    mostObjects: 1000,
    needsOwnControlPlane: true,
    prepare: (place) => spawned(kpt, ["live", "install-resource-group"], place),
    ready: async (step, objects, place) => {
      if (step === "plan") return undefined;
      const input = await write({ ...place, folder: join(place.folder, "kpt") }, objects);
      await writeFile(
        join(input, "Kptfile"),
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: bench\n",
      );
      await writeFile(
        join(input, "resourcegroup.yaml"),
        `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: kpt\n  namespace: ${place.namespace}\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: kpt-${place.namespace}\n`,
      );
      return () => spawned(kpt, ["live", "apply", input, "--output=events"], place);
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
  { folder: home, kubeconfig, longestStepMs }: Place,
  successes: readonly number[] = [0],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(home, "..", "cache"),
      KUBECONFIG: kubeconfig,
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
