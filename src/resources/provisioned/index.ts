/**
 * Values that are known only after apply, and what programs may do with them.
 *
 * Such a value can be stored, passed on and put into text; whatever would decide on it is refused.
 * This folder knows neither Kubernetes nor how modules are loaded: `runtime/` holds what rewritten
 * modules call, the loader rewrites them.
 */
export { handleOf, resourceHandle } from "./origin.ts";
export type { Origin, ResourceHandle } from "./origin.ts";
export { deferredOf, isProvisioned } from "./deferred.ts";
export type { Deferred } from "./deferred.ts";
export { makeProvisioned } from "./provisioned-value.ts";
export { holdsProvisioned } from "./holds-provisioned.ts";
export { originsOf } from "./origins-of.ts";
export { describeDeferred, describeOrigin, previewDeferred } from "./describe.ts";
export { isResolving, resolveValue } from "./resolve-value.ts";
export type { Lookup } from "./resolve-value.ts";
export { each, output, when } from "./output.ts";
export type { Output } from "./output.ts";
export { isProvisionedMarker, provisioned } from "./marker.ts";
export { setPlaceFinder, takeRejections } from "./reject.ts";
export { rememberSource } from "./place.ts";
export type { ModuleInfo } from "./place.ts";
export {
  construct,
  currentConstruction,
  currentSite,
  setConstructionScope,
} from "./runtime/construct.ts";
export type { Construction, Site } from "./runtime/construct.ts";
export { acceptProvisioned, isOwn, ownMark } from "./runtime/own-functions.ts";
export type { Use } from "./runtime/check.ts";
export { installRuntime, runtimeExpression, runtimeModule } from "./runtime/global.ts";
export type { RuntimeFunction } from "./runtime/global.ts";
