import type { SourcedObject } from "../objects/index.ts";
import type { InvalidObject, Plan } from "../plan/index.ts";
import { absentOwners } from "./absent-owners.ts";
import { invalidObjects } from "./invalid-objects.ts";
import { invalidRules } from "./invalid-rules.ts";
import { missingNamespaces, unknownKinds } from "./missing-places.ts";
import { missingProviders } from "./missing-providers.ts";
import type { ObservedGroup, PrepareOptions } from "./observe-group.ts";
import { settleHoles } from "./settle-holes.ts";

/** What a pass may use besides the plan. */
export interface PlanContext {
  readonly options: PrepareOptions;
  readonly observed: ObservedGroup;
  /** The desired objects, with every value that is known filled in. */
  readonly desired: readonly SourcedObject[];
}

/** Takes a plan one step further. */
type Pass = (plan: Plan, context: PlanContext) => Promise<Plan>;

/** Finds what is wrong with a plan. */
type Check = (plan: Plan, context: PlanContext) => Promise<readonly InvalidObject[]>;

/**
 * What happens to a plan after `makePlan` has compared desired with live state, in this order. Each pass
 * decides one thing and sees what those before it decided.
 */
export const passes: readonly Pass[] = [
  /** Values that other nodes give: which may become others, and which changes need a new object. */
  settleHoles,
];

/** What is looked for in a plan before anything is written; everything that is found is reported at once. */
export const checks: readonly Check[] = [
  unknownKinds,
  missingNamespaces,
  absentOwners,
  invalidRules,
  invalidObjects,
  missingProviders,
];
