/**
 * The sandbox against the real kube-apiserver with etcd, in one run: both served over TLS in
 * processes of their own and driven by the same client.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Cluster, connectTo } from "../src/cluster/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import { startControlPlane } from "../test/cluster/control-plane.ts";
import { settingsOf } from "../test/cluster/test-settings.ts";

const objects = Number(process.argv[2] ?? 10_000);
const inFlight = 64;
const gets = 5000;
const lists = 20;
const watchers = 100;
const watchedWrites = 200;
const keelson = join(dirname(fileURLToPath(import.meta.url)), "..", "bin", "keelson.js");

interface Served {
  readonly kubeconfig: string;
  readonly startMs: number;
  readonly memoryMiB: () => number;
  readonly stop: () => Promise<void>;
}

type Figures = Readonly<Record<string, number>>;

const kind = { apiVersion: "v1", kind: "ConfigMap" } as const;
const manager = { fieldManager: "bench" };

const folder = await mkdtemp(join(tmpdir(), "keelson-bench-"));
try {
  const real = await measure(serveReal);
  const sandbox = await measure(serveSandbox);
  print(sandbox, real);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(serve: () => Promise<Served>): Promise<Figures> {
  const served = await serve();
  const cluster = connectTo(await settingsOf(served.kubeconfig), { namespace: "default" });
  try {
    const create = await rate(objects, (index) => cluster.apply(configMap(index, "1"), manager));
    const again = await rate(objects, (index) => cluster.apply(configMap(index, "1"), manager));
    const change = await rate(objects, (index) => cluster.apply(configMap(index, "2"), manager));
    const get = await rate(gets, (index) => cluster.get(reference(index % objects)));
    const list = await listRate(cluster);
    const fanOut = await fanOutRate(cluster);
    return {
      "start-up (ms)": served.startMs,
      "apply, new (1/s)": create,
      "apply, unchanged (1/s)": again,
      "apply, changed (1/s)": change,
      "get (1/s)": get,
      [`list of ${objects} (1/s)`]: list,
      [`events to ${watchers} watches (1/s)`]: fanOut,
      "memory (MiB)": served.memoryMiB(),
    };
  } finally {
    await cluster.close();
    await served.stop();
  }
}

function configMap(index: number, value: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `bench-${index}`, namespace: "default", labels: { app: "bench" } },
    data: { value, index: String(index), text: "some text that a config map may hold" },
  };
}

function reference(index: number): Parameters<Cluster["get"]>[0] {
  return { apiVersion: "v1", kind: "ConfigMap", name: `bench-${index}`, namespace: "default" };
}

/** How many of `count` calls a second, so many at a time. */
async function rate(count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (count * 1000) / (performance.now() - started);
}

async function listRate(cluster: Cluster): Promise<number> {
  const started = performance.now();
  for (let round = 0; round < lists; round++) {
    await cluster.list(kind, { namespace: "default" });
  }
  return (lists * 1000) / (performance.now() - started);
}

/** Events that arrive at all watchers together while objects are written. */
async function fanOutRate(cluster: Cluster): Promise<number> {
  const { resourceVersion } = await cluster.list(kind, { namespace: "default" });
  const abort = new AbortController();
  const wanted = watchers * watchedWrites;
  let seen = 0;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    const events = cluster.watch(kind, {
      namespace: "default",
      resourceVersion,
      signal: abort.signal,
    });
    for await (const _event of events) if (++seen >= wanted) resolve();
  };
  const following = Array.from({ length: watchers }, () => follow().catch(() => {}));
  const started = performance.now();
  await rate(watchedWrites, (index) => cluster.apply(configMap(index, "watched"), manager));
  await all;
  const events = (wanted * 1000) / (performance.now() - started);
  abort.abort();
  await Promise.all(following);
  return events;
}

async function serveReal(): Promise<Served> {
  const started = performance.now();
  const controlPlane = await startControlPlane({ controllers: false });
  const startMs = performance.now() - started;
  return {
    kubeconfig: controlPlane.kubeconfig,
    startMs,
    memoryMiB: () => childrenMiB(process.pid, /kube-apiserver|etcd/),
    stop: controlPlane.stop,
  };
}

async function serveSandbox(): Promise<Served> {
  const started = performance.now();
  const args = [keelson, "sandbox", "--data", join(folder, "data"), "--output", "json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await firstLine(child);
  const startMs = performance.now() - started;
  const { kubeconfig } = JSON.parse(line) as { readonly kubeconfig: string };
  return {
    kubeconfig,
    startMs,
    memoryMiB: () => residentMiB(child.pid ?? 0),
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the sandbox has no output");
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error("the sandbox did not start");
}

function childrenMiB(parent: number, name: RegExp): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
    .trim()
    .split(" ");
  return children
    .map(Number)
    .filter((pid) => pid > 0 && name.test(readFileSync(`/proc/${pid}/comm`, "utf8")))
    .reduce((sum, pid) => sum + residentMiB(pid), 0);
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function print(sandbox: Figures, real: Figures): void {
  const rows = Object.entries(sandbox).map(([name, ours]) => {
    const theirs = real[name] ?? 0;
    const isRate = name.includes("1/s");
    const ratio = isRate ? ours / theirs : theirs / ours;
    return `| ${name} | ${figure(ours)} | ${figure(theirs)} | ${ratio.toFixed(1)} × |`;
  });
  console.log("| | sandbox | kube-apiserver and etcd | sandbox is better by |");
  console.log("|---|---|---|---|");
  console.log(rows.join("\n"));
}

function figure(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}
