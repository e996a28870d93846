/** What the measurements of the controller share: its process, what the API server counts, when all are ready. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, connectTo, type ObjectKind } from "../src/cluster/index.ts";
import { fieldAt, objectsIn } from "../src/json/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import type { ControlPlane } from "../test/cluster/control-plane.ts";
import { settingsOf } from "../test/cluster/test-settings.ts";

/** So many owners are being created at once. */
export const creators = 32;
export const idleMs = 10_000;

export async function openCluster(plane: ControlPlane, namespace: string): Promise<Cluster> {
  return connectTo(await settingsOf(plane.kubeconfig), { namespace });
}

export function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(program, args, { env: { ...process.env, ...env }, stdio: "ignore" });
}

/** The controller as users start it, in a process of its own. */
export function startController(kubeconfig: string, more: readonly string[] = []): ChildProcess {
  const script = join(import.meta.dirname, "..", "bin", "keelson.js");
  return startProgram(process.execPath, [
    script,
    "controller",
    "--install",
    "--kubeconfig",
    kubeconfig,
    ...more,
  ]);
}

/** The memory that a process holds, in MB. */
export async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

export function isReady(object: KubernetesObject): boolean {
  const conditions = objectsIn(fieldAt(object, "status", "conditions"));
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

/** Creates owners, and waits until the last of them is ready; says how long each of the two took. */
export async function untilReady(
  cluster: Cluster,
  kind: ObjectKind,
  namespace: string,
  owners: readonly KubernetesObject[],
  longestMs: number,
): Promise<{ readonly createdMs: number; readonly readyMs: number }> {
  const waiting = new Set(owners.map(({ metadata }) => metadata.name ?? ""));
  const began = performance.now();
  const watching = (async () => {
    const signal = AbortSignal.timeout(longestMs);
    for await (const event of cluster.watch(kind, { namespace, signal })) {
      if (event.kind === "bookmark") continue;
      for (const each of event.kind === "snapshot" ? event.objects : [event.object])
        if (isReady(each)) waiting.delete(each.metadata.name ?? "");
      if (waiting.size === 0) return;
    }
  })();
  await inParallel(owners, creators, (owner) => cluster.create(owner));
  const createdMs = performance.now() - began;
  await watching;
  return { createdMs, readyMs: performance.now() - began };
}

/** Does something for each of many, so many at once. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

export interface RequestCount {
  readonly all: number;
  readonly leases: number;
}

/** Requests that the server answered meanwhile, and how many of them were for Leases. */
export async function requestsDuring(
  plane: ControlPlane,
  work: () => Promise<unknown>,
): Promise<RequestCount> {
  const before = await counted(plane);
  await work();
  const after = await counted(plane);
  return { all: after.all - before.all, leases: after.leases - before.leases };
}

/** Requests while nothing happens, without Leases; what the server asks of itself is measured before and subtracted. */
export async function requestsWhenIdle(plane: ControlPlane, quiet = 0): Promise<number> {
  const { all, leases } = await requestsDuring(plane, () => pause(idleMs));
  return Math.max(0, all - leases - quiet);
}

/** Waits until nothing has been asked for a while. */
export async function settled(plane: ControlPlane): Promise<void> {
  let before = await counted(plane);
  for (let quiet = 0; quiet < 4;) {
    await pause(250);
    const now = await counted(plane);
    // A few are the server's own.
    quiet = now.all - now.leases - (before.all - before.leases) <= 2 ? quiet + 1 : 0;
    before = now;
  }
}

async function counted(plane: ControlPlane): Promise<RequestCount> {
  const text = await metrics(plane);
  let all = 0;
  let leases = 0;
  for (const line of text.split("\n")) {
    if (!line.startsWith("apiserver_request_total{")) continue;
    // Our own reading of these figures does not count.
    if (line.includes('subresource="/metrics"')) continue;
    const value = Number(line.slice(line.lastIndexOf(" ") + 1));
    all += value;
    if (line.includes('resource="leases"')) leases += value;
  }
  return { all, leases };
}

function metrics({ server, token, certificateAuthority }: ControlPlane): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server}/metrics`,
      { ca: certificateAuthority, headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () => {
          resolve(text);
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
}
