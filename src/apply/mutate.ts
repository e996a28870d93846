import { formatIdentity, identityKey, type KubernetesObject } from "../objects/index.ts";
import type { ApplyNode } from "../plan/index.ts";
import { findSource, mutated, mutationFailed } from "../prepare/index.ts";
import { asItBecame } from "./as-it-became.ts";
import type { NodeContext } from "./run-plan.ts";

/** The object with its fields filled in from others that are ready now. */
export async function mutate(
  { object, mutations }: ApplyNode,
  { cluster, outcomes }: NodeContext,
): Promise<KubernetesObject> {
  const sources = new Map<string, KubernetesObject>();
  for (const { source } of mutations) {
    const key = identityKey(source);
    if (sources.has(key)) continue;
    const applied = outcomes.get(key)?.live;
    const live = await (applied === undefined
      ? findSource(cluster, source)
      : asItBecame(cluster, applied));
    if (live === undefined) mutationFailed(`there is no ${formatIdentity(source)}`);
    sources.set(key, live);
  }
  return mutated(object, mutations, sources);
}
