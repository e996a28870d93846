/**
 * Carries a plan out: writes in order, waits, and remembers what it did. The only writer of graphs.
 *
 * It decides nothing that the plan decides; it does, and says what became of it, as events.
 */
export type { Emit } from "./emit.ts";
export type { NodeOutcome } from "./node-outcome.ts";
export type { RunPlanOptions } from "./run-plan.ts";
export { runPlan } from "./run-plan.ts";
export type { ApplyGroupOptions, GroupRun } from "./apply-group.ts";
export { conflictHint } from "./apply-node.ts";
export { applyGroup } from "./apply-group.ts";
export { Slots } from "./slots.ts";
export type { ObjectStatus } from "./watch-statuses.ts";
export { watchStatuses } from "./watch-statuses.ts";
export { fillObject, outputsOf, withSecrets } from "./program-run.ts";
export { saveRecord } from "./save-record.ts";
export { takeOverClientSideApply } from "./take-over-client-side-apply.ts";
export type { ProgramRun } from "./program-run.ts";
export { destroyGroup } from "./destroy-group.ts";
export type { DestroyGroupOptions } from "./destroy-group.ts";
export type { RestartOptions } from "./restart-workload.ts";
export { isRestartable, restartWorkload } from "./restart-workload.ts";
