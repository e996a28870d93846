/**
 * Desired objects, the inventory and the live objects in, a plan out: what is created, updated, left,
 * kept and deleted, in which order, and why.
 *
 * Pure: it reads nothing and writes nothing. What it needs of the cluster is given to it.
 */
export type { ApplyNode, Plan, PlanNode, PruneNode, Replacement } from "./plan.ts";
export { looksRenamed } from "./looks-renamed.ts";
export { authoritativeId } from "./authoritative-id.ts";
export { inUseReasons } from "./in-use.ts";
export { hasOpenHoles, hasRefusals, labelOfNode, laterStage } from "./plan.ts";
export type { OrderedComponent } from "./component-order.ts";
export type { ProgramDesired } from "./program-desired.ts";
export { hasOpenContents, nameByContents, programDesired } from "./program-desired.ts";
export type { Hole, HoleSource, ObjectHoles } from "./hole.ts";
export { holesOf, knownAfterApply } from "./hole.ts";
export { copiedValue, coverHole, fillHole, mutationFailed } from "./fill-hole.ts";
export type { ProvisionedRecord, ProvisionedStatus } from "./provisioned-record.ts";
export {
  isRecordIdentity,
  isProvisionedObject,
  objectWithRecord,
  provisionedApiVersion,
  provisionedKind,
  recordOfObject,
  waitsForAnnotation,
} from "./provisioned-record.ts";
export { comparedNode, compareRecords } from "./compared-node.ts";
export { makePlan } from "./make-plan.ts";
export { makeDestroyPlan } from "./make-destroy-plan.ts";
export { readDependsOn } from "./depends-on.ts";
export type { DependencyState, DependencyWait } from "./dependency-wait.ts";
export { dependencyWait } from "./dependency-wait.ts";
export type { Comparison } from "./compare-with-live.ts";
export { compareWithLive, mergedWith } from "./compare-with-live.ts";
export { deleteTimeoutAnnotation, isLeftAsItIs } from "./keep-annotations.ts";
export type { OwnedRemoval, OwnedStep, StepTrouble } from "./owned-step.ts";
export { troubleKey } from "./owned-step.ts";
export { asksToStay, leaveInOrder } from "./leave-in-order.ts";
export type { Digest, SavedPlan } from "./saved-plan.ts";
export { ownershipRefusal } from "./removal.ts";
export { planDifferences, savePlan } from "./saved-plan.ts";
export { podReferences } from "./pod-references.ts";
export { referencesOf } from "./references.ts";
export { chartsOf } from "./chart.ts";
export { desiredGraph } from "./desired-graph.ts";
export { isFieldSettled } from "./is-field-settled.ts";
export { objectGraph, waitsForNames } from "./object-graph.ts";
export type { FieldChange } from "./field-diff.ts";
export { fieldDiff } from "./field-diff.ts";
export type { SuspectObject } from "./diagnose-plan.ts";
export { diagnoseOrder } from "./diagnose-order.ts";
export { diagnoseInput, diagnosePlan } from "./diagnose-plan.ts";
export type { InvalidObject } from "./invalid-object.ts";
export { skipInvalid } from "./invalid-object.ts";
