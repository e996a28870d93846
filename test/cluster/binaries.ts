/** Builds the parts of a real control plane, and other real things, from Go modules, once per version. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.ts";
import { withFolderLock } from "./folder-lock.ts";
import { ensureGo } from "./go-toolchain.ts";

export interface GoProgram {
  readonly name: string;
  /** A folder under `go/`, which pins the version in its go.mod. */
  readonly module: string;
  readonly package: string;
  readonly version: string;
  readonly linkerFlags?: string;
}

const kubernetesVersion = "v1.36.3";
const kubernetesFlags = [
  `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`,
  "-X k8s.io/component-base/version.gitMajor=1",
  "-X k8s.io/component-base/version.gitMinor=36",
].join(" ");

/** A command of Kubernetes itself. */
export function kubernetesProgram(name: string): GoProgram {
  return {
    name,
    module: "kubernetes",
    package: `k8s.io/kubernetes/cmd/${name}`,
    version: kubernetesVersion,
    linkerFlags: kubernetesFlags,
  };
}

const programs = {
  etcd: { name: "etcd", module: "etcd", package: "go.etcd.io/etcd/server/v3", version: "v3.7.3" },
  apiServer: kubernetesProgram("kube-apiserver"),
  controllerManager: kubernetesProgram("kube-controller-manager"),
  scheduler: kubernetesProgram("kube-scheduler"),
  kwok: { name: "kwok", module: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok", version: "v0.8.0" },
} as const satisfies Record<string, GoProgram>;

export type Binaries = Readonly<Record<keyof typeof programs | "kwokStages", string>>;

/** What to do on a machine where Go cannot be installed. */
export const goAdvice =
  "Install Go 1.26 or newer, or Python with pip, which brings it; for the real control plane KEELSON_TEST_KUBECONFIG will do, too.";

const goModules = join(dirname(fileURLToPath(import.meta.url)), "go");

/** Whether all binaries of the control plane have been built. */
export function hasBinaries(): boolean {
  return hasPrograms(Object.values<GoProgram>(programs));
}

/** Whether these programs have been built. */
export function hasPrograms(wanted: readonly GoProgram[]): boolean {
  return wanted.every((program) => existsSync(pathOf(program)));
}

/** Paths of all binaries, built where they are missing. The first time takes about ten minutes. */
export async function ensureBinaries(report: (line: string) => void): Promise<Binaries> {
  const paths: Record<string, string> = {};
  for (const [key, program] of Object.entries<GoProgram>(programs)) {
    paths[key] = await ensureProgram(program, report);
  }
  paths["kwokStages"] = await ensureKwokStages();
  return paths as Binaries;
}

/** The path of a program, built where it is missing. */
export async function ensureProgram(
  program: GoProgram,
  report: (line: string) => void,
): Promise<string> {
  const path = pathOf(program);
  const folder = dirname(path);
  if (existsSync(path)) return path;
  await withFolderLock(`${path}.lock`, async () => {
    if (existsSync(path)) return;
    report(`building ${program.name} ${program.version} (once; kept in ${folder})`);
    await mkdir(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    const flags = `-s -w ${program.linkerFlags ?? ""}`;
    await go(program.module, [
      "build",
      "-trimpath",
      "-ldflags",
      flags,
      "-o",
      unfinished,
      program.package,
    ]);
    await rename(unfinished, path);
  });
  return path;
}

function pathOf({ module, version, name }: GoProgram): string {
  return join(cacheFolder("control-plane", `${module}-${version}`), name);
}

/** The stages that make kwok's nodes and pods ready are files of its module; kwok reads one file. */
async function ensureKwokStages(): Promise<string> {
  const { version, module } = programs.kwok;
  const path = cacheFolder("control-plane", `${module}-${version}`, "stages.yaml");
  if (existsSync(path)) return path;
  const source = await go(module, ["list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok"]);
  const documents: string[] = [];
  for (const kind of ["node", "pod"]) {
    const folder = join(source.trim(), "kustomize", "stage", kind, "fast");
    const files = await readdir(folder);
    for (const file of files.filter(
      (name) => name.endsWith(".yaml") && name !== "kustomization.yaml",
    )) {
      documents.push(await readFile(join(folder, file), "utf8"));
    }
  }
  await writeFile(path, documents.join("\n---\n"));
  return path;
}

async function go(module: string, args: readonly string[]): Promise<string> {
  const command = await ensureGo((line) => console.log(line));
  if (command === undefined) throw new Error(`${module} needs Go. ${goAdvice}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: join(goModules, module),
      env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(output);
      else reject(new Error(`go ${args.slice(0, 2).join(" ")} in ${module} failed:\n${errors}`));
    });
  });
}
