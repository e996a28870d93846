/**
 * The embedded Kubernetes-compatible API server with its simulated runtime.
 *
 * `api/` answers requests from a `store/`, `runtime/` moves what is stored as controllers and nodes
 * would, `server/` puts it on the network. It knows nothing of plans, inventories or sources.
 */
export { serveSandbox } from "./serve-sandbox.ts";
export type { ServedSandbox, ServeOptions } from "./serve-sandbox.ts";
export { createSandbox } from "./library.ts";
export type { CreatedSandbox, CreateSandboxOptions } from "./library.ts";
export { ManualClock } from "./clock.ts";
export type { Clock } from "./clock.ts";
export { seededRandom } from "./random.ts";
export type { Random } from "./random.ts";
export { openSandboxCluster } from "./open-sandbox-cluster.ts";
export type { SandboxCluster } from "./open-sandbox-cluster.ts";
export { defaultDataFolder, isServed } from "./data-folder.ts";
export { takeSnapshot } from "./snapshot/take-snapshot.ts";
export { restoreSnapshot } from "./snapshot/restore-snapshot.ts";
export type { RestoredSnapshot } from "./snapshot/restore-snapshot.ts";
