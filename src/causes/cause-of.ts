import { groupOf, type KubernetesObject } from "../objects/index.ts";
import type { Cause } from "./cause.ts";
import { deletionCause } from "./deletion-cause.ts";
import type { CauseFacts } from "./cause-facts.ts";
import { kindCauses } from "./kind-causes.ts";
import { podCause } from "./pod-cause.ts";
import { childCause } from "./workload-cause.ts";

/**
 * Why an object is not as it should be: one cause, from all that is known. Deadlines and back-offs are no
 * causes: what its pods say comes first. Undefined when nothing tells.
 */
export function causeOf(object: KubernetesObject, facts: CauseFacts): Cause | undefined {
  if (object.metadata.deletionTimestamp !== undefined) return deletionCause(object);
  const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
  const own = kindCauses[kind]?.(object, facts);
  if (object.kind === "Pod") return podCause(object, facts);
  const below = childCause(object, facts);
  if (below === undefined || own === undefined) return below ?? own;
  // Why it was given up is said behind what made it fail.
  return own.isFinal
    ? { ...below, summary: `${below.summary}; ${own.summary}`, reason: own.reason, isFinal: true }
    : below;
}
