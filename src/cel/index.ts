/**
 * Expressions of the Common Expression Language as Kubernetes has them: read, checked against
 * schemas, evaluated within a limit; and the rules that definitions of custom resources are written
 * with.
 *
 * This folder knows no cluster and no request. Expressions are data from outside: none of them may
 * throw, hang or grow without bound.
 */
export type { CelType } from "./cel-type.ts";
export { dyn, formatType, readType } from "./cel-type.ts";
export type { Compilation, Program, Variables } from "./compile-cel.ts";
export { compileCel, evaluate } from "./compile-cel.ts";
export { definitionRuleErrors } from "./definition-rule-errors.ts";
export { hasRules, validationErrors } from "./validation-errors.ts";
export { celFailure } from "./evaluation-error.ts";
export { jsonOf } from "./json-of.ts";
export type { AccessCheck } from "./library/authorization.ts";
export { authorizerValue } from "./library/authorization.ts";
export { pathsFrom } from "./paths-from.ts";
export type { CelValue } from "./values.ts";
