/** How time and memory grow with the number of owners: more and more of them, under one controller. */
import type { ChildProcess } from "node:child_process";
import type { Cluster, ObjectKind } from "../src/cluster/index.ts";
import type { KubernetesObject } from "../src/objects/index.ts";
import { type ControlPlane, startControlPlane } from "../test/cluster/control-plane.ts";
import {
  idleMs,
  memoryOf,
  openCluster,
  requestsDuring,
  requestsWhenIdle,
  settled,
  startController,
  untilReady,
} from "./controller-bench.ts";

const longestMs = 30 * 60_000;

/** How many owners there shall be, one after the other; `KEELSON_BENCH_GROWTH=` leaves it out. */
export const growthSizes: readonly number[] = (
  process.env["KEELSON_BENCH_GROWTH"] ?? "1000,3000,10000"
)
  .split(",")
  .filter((text) => text !== "")
  .map(Number);

export interface GrowthOptions {
  /** What the owners are called, in the plural. */
  readonly what: string;
  readonly kind: ObjectKind;
  readonly namespace: string;
  /** Definitions, rights and whatever else must be there first. */
  readonly prepare: (cluster: Cluster) => Promise<void>;
  readonly ownerOf: (index: number) => KubernetesObject;
}

interface GrowthRow {
  readonly owners: number;
  readonly added: number;
  readonly readyMs: number;
  readonly requests: number;
  readonly memoryMb: number;
}

/** Lets one controller look after more and more owners on a control plane of their own; a section of a report. */
export async function growth(options: GrowthOptions): Promise<readonly string[]> {
  if (growthSizes.length === 0) return [];
  const plane = await startControlPlane({ report: console.log, controllers: false });
  let controller: ChildProcess | undefined;
  try {
    const cluster = await openCluster(plane, options.namespace);
    await options.prepare(cluster);
    const quiet = await requestsWhenIdle(plane);
    controller = startController(plane.kubeconfig);
    await settled(plane);
    const rows: GrowthRow[] = [];
    for (const owners of growthSizes) {
      const before = rows.at(-1)?.owners ?? 0;
      rows.push(await grow(plane, cluster, controller, options, before, owners));
      console.log(options.what, JSON.stringify(rows.at(-1)));
    }
    const idle = await requestsWhenIdle(plane, quiet);
    await cluster.close();
    return report(options.what, rows, idle);
  } finally {
    controller?.kill("SIGKILL");
    await plane.stop();
  }
}

async function grow(
  plane: ControlPlane,
  cluster: Cluster,
  controller: ChildProcess,
  { kind, namespace, ownerOf }: GrowthOptions,
  from: number,
  to: number,
): Promise<GrowthRow> {
  const added = to - from;
  const owners = Array.from({ length: added }, (_none, index) => ownerOf(from + index));
  let readyMs = 0;
  const { all, leases } = await requestsDuring(plane, async () => {
    ({ readyMs } = await untilReady(cluster, kind, namespace, owners, longestMs));
    await settled(plane);
  });
  // The bench creates every owner, and watches them once.
  const requests = (all - leases - added - 1) / added;
  return { owners: to, added, readyMs, requests, memoryMb: await memoryOf(controller) };
}

function report(what: string, rows: readonly GrowthRow[], idle: number): readonly string[] {
  return [
    "",
    `## Growth`,
    "",
    `One controller, in a process of its own, on etcd and the API server alone (real ones, which share the machine);`,
    `${what} are added until there are so many, and time is from the first that is added until the last is Ready.`,
    `Requests in ${idleMs / 1000} idle seconds when all were there, without Leases: ${idle}.`,
    "",
    `| ${what} | added | all ready | per added one | requests per added one | memory of the controller |`,
    "|---|---|---|---|---|---|",
    ...rows.map(
      ({ owners, added, readyMs, requests, memoryMb }) =>
        `| ${owners} | ${added} | ${(readyMs / 1000).toFixed(1)} s | ${(readyMs / added).toFixed(1)} ms | ${requests.toFixed(1)} | ${memoryMb.toFixed(0)} MB |`,
    ),
  ];
}
