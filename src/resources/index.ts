/**
 * What programs are written with: resources, the kinds of Kubernetes as classes, values that are
 * not known yet, names; and the record of one evaluation, which becomes a {@link ProgramGraph}.
 *
 * This folder knows no cluster, no files and no loader: the loader tells it where each `new` stands.
 */
export type {
  DeferredJson,
  DeferredValue,
  KnownOutputs,
  ProgramComponent,
  ProgramGraph,
  ProgramResource,
} from "./program-graph.ts";
export { isDeferredValue } from "./program-graph.ts";
export { isSecretPath, withSecretPaths } from "./secret-paths.ts";
export { idOfName, isInPlace, placeOfName, typeOfName, withinPlace } from "./resource-name.ts";
export { Resource } from "./resource.ts";
export type { ResourceOptions, ResourceTimeouts } from "./resource-options.ts";
export { beginRun } from "./begin-run.ts";
export { EvaluationRun } from "./evaluation-run.ts";
export { buildGraph } from "./build-graph.ts";
export { DeferredValues } from "./deferred-json.ts";
export { outputsType, programOutputs, secretOutputsAnnotation } from "./program-outputs.ts";
export {
  deferredOf,
  each,
  output,
  provisioned,
  resolveValue,
  setPlaceFinder,
  takeRejections,
  when,
} from "./provisioned/index.ts";
export { construct } from "./provisioned/index.ts";
export type { Origin, Output } from "./provisioned/index.ts";
export { contentsIn, contentsSuffix } from "./k8s/contents-suffix.ts";
export { shortHash, withSuffix } from "./k8s/object-name.ts";
export { definitionTypes } from "./types/definition-types.ts";
export * as local from "./local.ts";
export * as random from "./random.ts";
export * as k8s from "./k8s/index.ts";
