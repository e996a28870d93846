/**
 * Carries a plan out: writes in order, waits, and remembers what it did. The only writer of graphs.
 *
 * It decides nothing that the plan decides; it does, and says what became of it, as events.
 */
export type { ApplyGroupOptions, RunLimits } from "./group-options.ts";
export type { GroupRun } from "./apply-group.ts";
export { conflictHint } from "./apply-node.ts";
export { applyGroup, planGroup } from "./apply-group.ts";
export { Slots } from "./slots.ts";
export type { ObjectStatus } from "./watch-statuses.ts";
export { adoptObject } from "./adopt-object.ts";
export { watchStatuses } from "./watch-statuses.ts";
export { saveRecord } from "./save-record.ts";
export { takeOverFields } from "./take-over-fields.ts";
export { destroyGroup } from "./destroy-group.ts";
export type { DestroyGroupOptions } from "./destroy-group.ts";
export { isRestartable, restartWorkload } from "./restart-workload.ts";
export type { OwnerMarks } from "./remove-object.ts";
export { OwnedWriter } from "./owned-writer.ts";
export type { OwnerLook } from "./carry-out.ts";
export { carryOut, lookAround } from "./carry-out.ts";
export { Evidence } from "./evidence.ts";
