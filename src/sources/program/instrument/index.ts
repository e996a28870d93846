/**
 * Rewrites the modules of a program so that every decision on a provisioned value asks first, and
 * every `new` says where it stands. It knows syntax only; what happens at those places is in
 * `resources/provisioned`.
 */
export { instrument } from "./instrument.ts";
export { isLoadingTools } from "./load-tools.ts";
export type { RewriteCache } from "./rewrite-cache.ts";
export { rewriteCacheIn } from "./rewrite-cache.ts";
