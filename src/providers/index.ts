/**
 * Providers: what makes resources that are not Kubernetes objects. The contract, how providers are
 * found and run, in this process or as another one, and the providers that come with Keelson.
 *
 * This folder knows no plans and no inventories: it does what it is told with one resource at a time.
 */
export type { Created, LogLine, Provider, ProviderContext, ProviderHost } from "./provider.ts";
export { findModule } from "./find/find-module.ts";
export { openProviders } from "./open-providers.ts";
export type { ProviderTimeouts } from "./timeouts.ts";
export { UnusableAnswerError } from "./run/read-answer.ts";
