/**
 * Whether an object is what it was asked to be: one file per kind, in the terms of kstatus; and what
 * definitions of custom kinds, or an object itself, say about that in annotations (`rules/`).
 *
 * Pure: an object and what is known of its children and definition in, a verdict out. It reads no
 * cluster; who waits gives it both.
 */
export type { Readiness, ReadinessStatus } from "./readiness.ts";
export { current, failed, inProgress } from "./readiness.ts";
export type { ReadinessContext } from "./readiness-context.ts";
export { readinessOf } from "./readiness-of.ts";
export type { ReadinessRules } from "./rules/readiness-rules.ts";
export { readinessRules } from "./rules/read-rules.ts";
export type { RulesLookup } from "./rules/rule-book.ts";
export { ruleBook } from "./rules/rule-book.ts";
export { hasReadinessRule } from "./rules/judge-rules.ts";
export { diagnoseRules } from "./rules/diagnose-rules.ts";
