import { identityKey, type ObjectProblem } from "../objects/index.ts";
import type { Plan } from "./plan.ts";

/** Something that is wrong with one object of the input, or with several together. */
export type InvalidObject = ObjectProblem;

/** The plan with invalid objects left as they are; what depends on them will be skipped by the run. */
export function skipInvalid(plan: Plan, invalid: readonly InvalidObject[]): Plan {
  const nodes = new Map(plan.nodes);
  for (const { identities, diagnostic } of invalid) {
    for (const identity of identities) {
      const key = identityKey(identity);
      const node = nodes.get(key);
      if (node?.kind !== "apply" || node.reason === "Invalid") continue;
      nodes.set(key, { ...node, action: "skip", reason: "Invalid", message: diagnostic.summary });
    }
  }
  const leavesOut = invalid.some(({ identities }) => identities.length === 0);
  return { ...plan, nodes, leavesOut };
}
