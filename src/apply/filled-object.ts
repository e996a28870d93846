import { referenceTo } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { type ApplyNode, type HoleSource, isProvisionedObject } from "../plan/index.ts";
import { fillHoles, findSource, holeValues } from "../prepare/index.ts";
import type { NodeContext } from "./run-plan.ts";

/** The object of a node with its holes filled, now that all that it waits for is ready. */
export async function filledObject(
  { object, holes }: ApplyNode,
  context: NodeContext,
): Promise<KubernetesObject> {
  if (holes === undefined) return object;
  const { cluster, program, plan } = context;
  // What the run changes was settled by its plan; what others change may have become another since.
  const isSettled =
    holes.open.length === 0 &&
    holes.holes.every(({ sources }) => sources.every(({ key }) => plan.nodes.has(key)));
  if (isSettled) return object;
  const found = new Map<string, Promise<KubernetesObject | undefined>>();
  const find = (source: HoleSource): Promise<KubernetesObject | undefined> => {
    const live = found.get(source.key) ?? asItBecame(source, context);
    found.set(source.key, live);
    return live;
  };
  const valueOf = holeValues({ cluster, program, find });
  const filled = await fillHoles(holes.template, holes.holes, valueOf);
  // What the plan added stays: the name of the inventory. What it only had words for does not.
  const annotations = { ...object.metadata.annotations, ...filled.metadata.annotations };
  return { ...filled, metadata: { ...filled.metadata, annotations } };
}

/** A source as it is by now: much of what it says of itself comes only after it was written. */
async function asItBecame(
  { key, identity }: HoleSource,
  { cluster, plan, outcomes }: NodeContext,
): Promise<KubernetesObject | undefined> {
  const applied = outcomes.get(key)?.live ?? plan.nodes.get(key)?.live;
  if (applied === undefined) return identity && findSource(cluster, identity);
  return isProvisionedObject(applied) ? applied : cluster.find(referenceTo(applied));
}
