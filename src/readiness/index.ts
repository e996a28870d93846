/**
 * Whether an object is what it was asked to be: one file per kind, in the terms of kstatus.
 *
 * Pure: an object and what is known of its children in, a verdict out. It reads no cluster; who waits
 * gives it the children.
 */
export type { Readiness, ReadinessStatus } from "./readiness.ts";
export type { ReadinessContext } from "./readiness-context.ts";
export { readinessOf } from "./readiness-of.ts";
