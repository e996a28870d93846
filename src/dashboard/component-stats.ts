import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, isApiError, isUnserved } from "../cluster/index.ts";
import { fieldAt, objectsIn } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { isProvisionedObject, recordOfObject } from "../plan/index.ts";
import type { ProviderHost } from "../providers/index.ts";
import { readQuantity } from "../schema/index.ts";
import type { StatsPoint, StatsSample } from "./stats-view.ts";
import { textOf } from "./text-of.ts";
import type { WorldComponent } from "./world.ts";

const pauseMs = 3_000;
const mostResources = 20;
const mostPods = 50;
const podMetrics = { apiVersion: "metrics.k8s.io/v1beta1", kind: "PodMetrics" } as const;

export interface StatsSources {
  readonly cluster: Cluster;
  /** Who counts for what is outside of Kubernetes, where they are at hand. */
  readonly providers?: Pick<ProviderHost, "provider"> | undefined;
}

/** Looks at figures of a component again and again, until somebody stops it. */
export async function followStats(
  sources: StatsSources,
  componentOf: () => WorldComponent | undefined,
  send: (sample: StatsSample) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const component = componentOf();
    if (component !== undefined) await send(await sampleOf(sources, component, signal));
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function sampleOf(
  sources: StatsSources,
  component: WorldComponent,
  signal: AbortSignal,
): Promise<StatsSample> {
  const samples = await Promise.all([
    component.pods.length === 0 ? nothing : samplePods(sources.cluster, component, signal),
    ...component.objects
      .map(({ object }) => object)
      .filter(isProvisionedObject)
      .slice(0, mostResources)
      .map((object) => sampleResource(sources, object, signal)),
  ]);
  return {
    points: samples.flatMap(({ points }) => points),
    notices: [...new Set(samples.flatMap(({ notices }) => notices))],
  };
}

const nothing: StatsSample = { points: [], notices: [] };

async function samplePods(
  cluster: Cluster,
  { pods }: WorldComponent,
  signal: AbortSignal,
): Promise<StatsSample> {
  const names = new Set(pods.slice(0, mostPods).map(({ object }) => object.metadata.name));
  const namespace = pods[0]?.object.metadata.namespace;
  try {
    const { items } = await cluster.list(podMetrics, { namespace, signal });
    const points = items
      .filter(({ metadata }) => names.has(metadata.name))
      .flatMap((item) => pointsOfPod(item));
    return { points, notices: [] };
  } catch (error) {
    return { points: [], notices: [whyNot(error)] };
  }
}

function whyNot(error: unknown): string {
  if (isUnserved(error))
    return "This cluster serves no metrics of pods: metrics.k8s.io comes with a metrics server.";
  if (isApiError(error, "Forbidden")) return "You may not read the metrics of pods.";
  return `The metrics of pods cannot be read now: ${error instanceof Error ? error.message : String(error)}`;
}

function pointsOfPod(item: KubernetesObject): readonly StatsPoint[] {
  const containers = objectsIn(item["containers"]);
  const time = Date.parse(textOf(item["timestamp"]));
  const sum = (resource: string): number =>
    containers.reduce((total, each) => total + amountAt(each, resource), 0);
  const line = item.metadata.name ?? "";
  const timeMs = Number.isNaN(time) ? Date.now() : time;
  return [
    { plot: "cpu", unit: "cores", line, timeMs, value: sum("cpu") },
    { plot: "memory", unit: "bytes", line, timeMs, value: sum("memory") },
  ];
}

function amountAt(container: unknown, resource: string): number {
  const quantity = readQuantity(textOf(fieldAt(container, "usage", resource)));
  return quantity === undefined ? 0 : Number(quantity.digits) * 10 ** quantity.exponent;
}

async function sampleResource(
  { providers }: StatsSources,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<StatsSample> {
  const record = recordOfObject(object);
  const id = record?.status?.id;
  if (record === undefined || id === undefined) return nothing;
  const { provider: packageName, type, name } = record.spec;
  if (providers === undefined)
    return {
      points: [],
      notices: [`Nobody is at hand who counts for ${name}: start the dashboard in its project.`],
    };
  try {
    const provider = await providers.provider(packageName);
    if (provider.fetchStats === undefined) return nothing;
    const stats = await provider.fetchStats(id, { type, name, signal, log: () => {} });
    const line = name.slice(name.lastIndexOf(":") + 1);
    return {
      points: stats.flatMap(({ name: plot, unit, points }) =>
        points.map(({ timeMs, value }) => ({ plot, unit, line, timeMs, value })),
      ),
      notices: [],
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { points: [], notices: [`The figures of ${name} cannot be read now: ${why}`] };
  }
}
