import { createHmac, randomBytes } from "node:crypto";
import { fail } from "../diagnostics/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import { stringifyJson } from "../json/index.ts";
import {
  type Digest,
  type Plan,
  planDifferences,
  savePlan,
  type SavedPlan,
} from "../plan/index.ts";

/** A plan as it is kept to be compared with later, without a single value. */
export interface KeptPlan extends SavedPlan {
  /** Makes digests of secrets useless to whoever has seen others. */
  readonly key: string;
}

const mostListed = 20;

export function keepPlan(plan: Plan, group: GroupReference): KeptPlan {
  const key = randomBytes(16).toString("hex");
  return { key, ...savePlan(plan, group, digestWith(key)) };
}

/** Refuses to do anything but what was kept. */
export function requireSamePlan(kept: KeptPlan, plan: Plan, group: GroupReference): void {
  const differences = planDifferences(kept, plan, group, digestWith(kept.key));
  if (differences.length === 0) return;
  const more = differences.length - mostListed;
  fail({
    code: "live.plan-outdated",
    summary: "the saved plan no longer holds; nothing was written",
    detail: [...differences.slice(0, mostListed), ...(more > 0 ? [`and ${more} more`] : [])].join(
      "\n",
    ),
    hint: "make a new plan, and look at it",
  });
}

function digestWith(key: string): Digest {
  return (value) =>
    createHmac("sha256", key).update(stringifyJson(value)).digest("base64url").slice(0, 22);
}
