/**
 * The kinds of Kubernetes as classes: every built-in kind by its name, and any other by `kind`.
 */
export * from "./kinds.ts";
export { kind } from "./kind.ts";
export type { AnyFields } from "./kind.ts";
export type { KubernetesClass, KubernetesProps, KubernetesResource } from "./kubernetes-class.ts";
export type * as types from "./types.ts";
