/**
 * The engine as a library, `keelson/engine`: load desired state from any source, plan it, apply it as
 * one inventory, watch and destroy it.
 *
 * ```ts
 * import { apply, connect, load } from "keelson/engine";
 *
 * const cluster = await connect({ context: "kind-dev" });
 * const desired = await load("deploy/", { cluster, inventory: { name: "shop" } });
 * const run = apply(desired);
 * for await (const event of run) console.log(JSON.stringify(event));
 * const { hasFailures } = await run.result;
 * await desired.close();
 * await cluster.close();
 * ```
 */
export type { ConnectOptions } from "./connect.ts";
export { connect } from "./connect.ts";
export type { Loaded, LoadOptions } from "./load.ts";
export { load } from "./load.ts";
export type { InventoryChoice } from "./source/find-group.ts";
export type { Planned, PlanOptions } from "./plan.ts";
export { plan } from "./plan.ts";
export type { ApplyOptions } from "./apply.ts";
export { apply } from "./apply.ts";
export type { DestroyOptions } from "./destroy.ts";
export { destroy } from "./destroy.ts";
export type { InventoryStatus, StatusOptions } from "./status.ts";
export { status } from "./status.ts";
export type { StateGraph } from "./graph.ts";
export { graph } from "./graph.ts";
export type { Run } from "./run.ts";
export type { PlannedChange } from "./describe-plan.ts";
export type { Desired } from "./desired/desired.ts";
export type { EngineHost } from "./host.ts";
export type { GroupRun, ObjectStatus } from "../apply/index.ts";
export type { PruneScope } from "../prepare/index.ts";
export type { Cluster } from "../cluster/index.ts";
export { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
export type { RunCounts, RunEvent } from "../events/index.ts";
export { graphDot, graphMermaid, graphText } from "../graph/index.ts";
export type { GroupReference, InventoryPolicy } from "../inventory/index.ts";
export type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
export type { FieldChange, Plan, PlanNode } from "../plan/index.ts";
