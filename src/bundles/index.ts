/**
 * Bundles: resources that refer to each other. A bundle and what is known around it in, what is to be
 * done next and a status out.
 *
 * Pure: it reads and writes nothing. The controller carries its actions out; the command line makes
 * objects with the same `describeResource` and lets the planner order them.
 */
export type { Bundle, BundleResource } from "./bundle.ts";
export {
  bundleApiVersion,
  bundleFinalizer,
  bundleGroup,
  bundleKinds,
  bundleLabel,
  bundleManager,
  bundleScopes,
  isBundle,
  outputFinalizer,
  plannedObjectsAnnotation,
} from "./bundle.ts";
export { bindingOf, ownedKinds } from "./binding-of.ts";
export type { BundleGraph, DeferredWorld } from "./bundle-graph.ts";
export { bundleGraph } from "./bundle-graph.ts";
export { bundleDefinitions } from "./bundle-definitions.ts";
export type { BundlePlugin, PluginContext } from "./bundle-plugin.ts";
export { isBundlePlugin } from "./bundle-plugin.ts";
export { keyOf, recordOfBundle } from "./bundle-status.ts";
export type { BundleObject, BundleWorld, OutputObject, Unreadable } from "./bundle-world.ts";
export { configOf } from "./config-hash.ts";
export { realizeInvalid } from "./invalid-bundle.ts";
export { decodedData, secretNamesOf } from "./reference-value.ts";
export type { ExampleProblem } from "./example-problems.ts";
export { exampleProblems } from "./example-problems.ts";
export { objectOf } from "./describe-resource.ts";
export { readBundle } from "./read-bundle.ts";
export { isOfBundle, isOwnReference } from "./owners.ts";
export type { BundleAction, Realized } from "./realize.ts";
export { realize } from "./realize.ts";
export { troubleOfOutput } from "./realize-resource.ts";
