/**
 * Desired objects, the inventory and the live objects in, a plan out: what is created, updated, left,
 * kept and deleted, in which order, and why.
 *
 * Pure: it reads nothing and writes nothing. What it needs of the cluster is given to it.
 */
export type { ApplyNode, Plan, PlanNode, PruneNode, Replacement } from "./plan.ts";
export { idOfName, looksRenamed, typeOfName } from "./looks-renamed.ts";
export { authoritativeId } from "./authoritative-id.ts";
export { inUseReasons } from "./in-use.ts";
export { hasRefusals, labelOfNode, laterStage } from "./plan.ts";
export type { OrderedComponent } from "./component-order.ts";
export type { ProgramDesired } from "./program-desired.ts";
export {
  deferredIn,
  hasOpenContents,
  knownAfterApply,
  nameByContents,
  programDesired,
  withDeferred,
} from "./program-desired.ts";
export type {
  ProvisionedPhase,
  ProvisionedRecord,
  ProvisionedSpec,
  ProvisionedStatus,
} from "./provisioned-record.ts";
export {
  changedInputs,
  isProvisioned,
  isProvisionedObject,
  objectWithRecord,
  provisionedApiVersion,
  provisionedKind,
  recordOfObject,
  waitsForAnnotation,
} from "./provisioned-record.ts";
export type { ProgramPlanInput } from "./make-plan.ts";
export type { PlanInput } from "./make-plan.ts";
export { compareRecords, makePlan } from "./make-plan.ts";
export type { DestroyInput } from "./make-destroy-plan.ts";
export { makeDestroyPlan } from "./make-destroy-plan.ts";
export { readDependsOn } from "./depends-on.ts";
export type { DependencyState, DependencyWait } from "./dependency-wait.ts";
export { dependencyWait } from "./dependency-wait.ts";
export type { Comparison } from "./compare-with-live.ts";
export { compareWithLive, mergedWith } from "./compare-with-live.ts";
export { deleteTimeoutAnnotation } from "./keep-annotations.ts";
export type { Removal } from "./removal.ts";
export { refusal, removalOf } from "./removal.ts";
export type { Digest, SavedPlan } from "./saved-plan.ts";
export { planDifferences, savePlan } from "./saved-plan.ts";
export type { Reference } from "./pod-references.ts";
export { podReferences } from "./pod-references.ts";
export { referencesOf } from "./references.ts";
export type { DesiredGraph } from "./desired-graph.ts";
export { desiredGraph } from "./desired-graph.ts";
export { isFieldSettled } from "./is-field-settled.ts";
export { objectGraph, waitsForNames } from "./object-graph.ts";
export type { FieldChange } from "./field-diff.ts";
export { fieldDiff } from "./field-diff.ts";
export type { SuspectObject } from "./diagnose-plan.ts";
export { diagnoseInput, diagnosePlan } from "./diagnose-plan.ts";
export type { InvalidObject } from "./invalid-object.ts";
export { skipInvalid } from "./invalid-object.ts";
