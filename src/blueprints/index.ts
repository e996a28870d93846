/**
 * Supply chains and deliveries: which blueprint serves an owner, which template each step uses, what is
 * stamped, and what the owner says of it.
 *
 * Pure: an owner, blueprints, templates and what is in the cluster in; actions and a status out. It
 * reads no cluster and runs no program: what ytt gives is asked for as an action.
 */
export { speaksCartographer } from "./cartographer/speaks-cartographer.ts";
export type { HealthContext } from "./stamping/health-of.ts";
export { blueprintDefinitions } from "./definitions/index.ts";
export {
  type BlueprintGroup,
  blueprintGroups,
  blueprintVersion,
  type Family,
  families,
  familyOfOwner,
  isBlueprintGroup,
  templateKinds,
} from "./groups.ts";
export { readBlueprint } from "./model/blueprint.ts";
export type { Action, Rendered, ServiceAccount, World } from "./realize/realization.ts";
export { writerOf } from "./realize/service-account.ts";
export { accountOf, realizeOwner } from "./realize/realize-owner.ts";
export { realizeRunnable, type Selected } from "./realize/realize-runnable.ts";
export { type Accepted, acceptedBy } from "./stamping/is-settled.ts";
export {
  accountAnnotation,
  digestAnnotation,
  labelPrefix,
  runnableLabel,
  stepLabel,
} from "./stamping/stamp-labels.ts";
export type { TemplateLookup } from "./status/blueprint-problem.ts";
export { blueprintStatus } from "./status/blueprint-status.ts";
export { explainOwner, type Explanation, type StepExplanation } from "./explain/explain-owner.ts";
export { explanationGraph, used } from "./explain/explanation-graph.ts";
export { optionName } from "./model/blueprint.ts";
export { verdictText } from "./requirements/judge.ts";
export { refusedObjects, validatePlatform } from "./validation/validate-platform.ts";
