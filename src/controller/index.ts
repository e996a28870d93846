/**
 * Runs what looks after objects in a cluster: watches, work queues, the lead, health and metrics; and on
 * it the reconcilers of bundles and supply chains.
 *
 * What is to be done is decided in `bundles/` and `blueprints/`, which are pure; this folder reads,
 * writes and tries again.
 */
export type { BundleReconcilerOptions } from "./bundles/bundle-reconciler.ts";
export { bundleReconciler } from "./bundles/bundle-reconciler.ts";
export { BundlePlugins } from "../engine/index.ts";
export type {
  ClusterView,
  Depth,
  IndexKeys,
  KindState,
  KindView,
  KindViewOptions,
  ViewEvent,
} from "../cluster/index.ts";
export type { ConnectToClusterOptions } from "./runtime/connect-to-cluster.ts";
export { connectToCluster } from "./runtime/connect-to-cluster.ts";
export type { EventRecorder, ObjectEvent } from "./runtime/event-recorder.ts";
export { controllerDefinitions, installObjects } from "./install/install-objects.ts";
export type { Facts, Log, LogOptions } from "./runtime/log.ts";
export { jsonLog, silentLog } from "./runtime/log.ts";
export type { LogLevel } from "./runtime/log-level.ts";
export { logLevels } from "./runtime/log-level.ts";
export type { Reconciler, ReconcilerContext } from "./runtime/reconciler.ts";
export type { RunControllersOptions } from "./runtime/run-controllers.ts";
export { runControllers } from "./runtime/run-controllers.ts";
export type { Worked } from "./runtime/work-queue.ts";
export { type BlueprintOptions, blueprintReconcilers, yttRunner } from "./blueprints/index.ts";
