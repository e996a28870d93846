/**
 * Prepares a plan: reads what it must know of the cluster, each thing once, lets `plan/` decide, and asks
 * the server and the providers where only they know. It throws everything that is wrong at once.
 *
 * Nothing in this folder writes, not even a lock.
 */
export type { DesiredGroup, PlanGroupOptions, PruneScope } from "./group-options.ts";
export type { PreparedPlan } from "./prepare-plan.ts";
export { preparePlan } from "./prepare-plan.ts";
export { requireSameId, uniqueEntries } from "./observe-group.ts";
export { isUnnamed, withoutResources } from "./later-resources.ts";
export { askServer, underAnotherName } from "./ask-server.ts";
export { canBeCreated } from "./can-be-created.ts";
export { fillHoles, findSource, holeValues } from "./hole-values.ts";
export { replacementOf } from "./with-replacement.ts";
export { hidingProvider, secretsIn } from "./hiding-provider.ts";
export type { ProgramRun } from "./program-run.ts";
export { outputsOf, secretNameOf, splitSecrets, withSecrets } from "./program-run.ts";
