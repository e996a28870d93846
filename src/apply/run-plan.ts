import type { Cluster } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { HeldLease, InventoryPolicy } from "../inventory/index.ts";
import { identityKey } from "../objects/index.ts";
import {
  isRecordIdentity,
  labelOfNode,
  laterStage,
  type Plan,
  type PlanNode,
} from "../plan/index.ts";
import { applyNode, leaveHook } from "./apply-node.ts";
import { deleteFinishedHooks } from "./finished-hooks.ts";
import type { Emit } from "../events/index.ts";
import { isSuccess, type NodeOutcome } from "./node-outcome.ts";
import type { ProgramRun } from "../prepare/index.ts";
import { deleteReplaced } from "./provision-node.ts";
import { pruneNode } from "./prune-node.ts";
import { ReadinessWaiter } from "./readiness-waiter.ts";
import { Slots } from "./slots.ts";

export interface RunPlanOptions {
  readonly cluster: Cluster;
  readonly emit: Emit;
  readonly manager: string;
  readonly forceConflicts: boolean;
  /** When waiting for readiness and for deletions ends, milliseconds since 1970. */
  readonly reconcileDeadline: number;
  readonly pruneDeadline: number;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan";
  /** False: an object counts as ready as soon as it is written, unless something depends on it. */
  readonly waits: boolean;
  /** Whether Jobs must have completed, also those that nothing depends on. */
  readonly waitsForJobs?: boolean | undefined;
  /** Whether objects are pruned also when something that was applied is not ready. */
  readonly prunesDespiteFailures?: boolean | undefined;
  /** Deletions are those of a destroy, not of a prune. */
  readonly destroys: boolean;
  /** Aborted: nothing new is begun, what is under way is finished without waiting. */
  readonly signal: AbortSignal;
  /** Awaited before a provider writes, as the cluster of a run under a Lease does by itself. */
  readonly fence?: HeldLease["fence"] | undefined;
  /** By what an object is judged that was not there when the plan was made. */
  readonly ownership?:
    | {
        readonly id: string;
        readonly formerId: string | undefined;
        readonly policy: InventoryPolicy;
      }
    | undefined;
  /** The program whose resources these are, and who makes those outside of Kubernetes. */
  readonly program?: ProgramRun | undefined;
}

/** What a node may use while it runs. */
export interface NodeContext extends RunPlanOptions {
  readonly waiter: ReadinessWaiter;
  readonly outcomes: ReadonlyMap<string, NodeOutcome>;
  readonly plan: Plan;
  readonly writes: Slots;
  /** Why nothing is pruned: something that was applied is not ready, and may need what it had before. */
  readonly prunesNothing?: string | undefined;
}

/** Writes under way at once; what only waits does not count. */
const mostWrites = 100;

/**
 * Runs a plan as the graph it is: a node begins the moment all that it waits for has ended well. What is
 * no longer wished for goes when everything else has been tried.
 */
export async function runPlan(
  plan: Plan,
  options: RunPlanOptions,
): Promise<ReadonlyMap<string, NodeOutcome>> {
  const waiter = new ReadinessWaiter(options.cluster, options.emit, plan.definitions);
  const outcomes = new Map<string, NodeOutcome>();
  const writes = new Slots(mostWrites);
  const context: NodeContext = { ...options, waiter, outcomes, plan, writes };
  try {
    await runKind(plan, "apply", context, outcomes);
    await deleteAllReplaced(plan, context, outcomes);
    await deleteFinishedHooks(plan, context, outcomes);
    const prunesNothing =
      options.destroys || options.prunesDespiteFailures === true
        ? undefined
        : failedApply(plan, outcomes);
    await runKind(plan, "prune", { ...context, prunesNothing }, outcomes);
    return outcomes;
  } finally {
    await waiter.close();
  }
}

/** The first object that was applied and is not ready, as a reason not to prune. */
function failedApply(plan: Plan, outcomes: ReadonlyMap<string, NodeOutcome>): string | undefined {
  for (const [key, node] of plan.nodes) {
    const outcome = outcomes.get(key);
    if (node.kind !== "apply" || outcome === undefined) continue;
    // What was refused or skipped was not applied; it keeps what it has.
    if (outcome.actuation === "Skipped" || isSuccess(outcome)) continue;
    const { kind, name } = node.identity;
    return `${labelOfNode(node) ?? `${kind} ${name}`} is not ready, and may still need it`;
  }
  return undefined;
}

/** What was replaced goes when all that referred to it has been moved to the new one. */
async function deleteAllReplaced(
  plan: Plan,
  context: NodeContext,
  outcomes: Map<string, NodeOutcome>,
): Promise<void> {
  for (const [key, node] of plan.nodes) {
    const outcome = outcomes.get(key);
    if (node.kind !== "apply" || !isRecordIdentity(node.identity)) continue;
    if (outcome?.live === undefined || !isSuccess(outcome) || context.signal.aborted) continue;
    const dependents = plan.graph.dependentsOf(key).flatMap(({ from }) => outcomes.get(from) ?? []);
    if (!dependents.every(isSuccess)) continue;
    try {
      outcomes.set(key, { ...outcome, live: await deleteReplaced(outcome.live, context) });
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const message = error.diagnostics[0]?.summary ?? error.message;
      context.emit({ type: "prune", object: node.identity, status: "failed", message });
      outcomes.set(key, { ...outcome, actuation: "Failed", message });
    }
  }
}

/** Resolves when every node of a kind has ended; a failure of the run itself is thrown after that. */
function runKind(
  plan: Plan,
  kind: PlanNode["kind"],
  context: NodeContext,
  outcomes: Map<string, NodeOutcome>,
): Promise<void> {
  const waitsFor = new Map<string, number>();
  const failures: unknown[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = 0;
  const end = (): void => {
    if (--left > 0) return;
    if (failures.length === 0) resolve();
    else reject(failures[0]);
  };
  const start = (key: string): void => {
    const node = plan.nodes.get(key);
    left++;
    (node === undefined ? passBarrier(key, context) : runNode(node, context))
      .then((outcome) => {
        outcomes.set(key, outcome);
        for (const { from } of plan.graph.dependentsOf(key)) {
          const remaining = (waitsFor.get(from) ?? 0) - 1;
          waitsFor.set(from, remaining);
          if (remaining === 0 && waitsFor.has(from)) start(from);
        }
      })
      .catch((error: unknown) => failures.push(error))
      .finally(end);
  };
  // One more than there are nodes, so that nothing ends before all have been looked at.
  left++;
  for (const [key, node] of plan.nodes)
    if (node.kind === kind) waitsFor.set(key, plan.graph.dependenciesOf(key).length);
  if (kind === "apply")
    for (const key of plan.barriers?.keys() ?? [])
      waitsFor.set(key, plan.graph.dependenciesOf(key).length);
  for (const key of [...waitsFor].flatMap(([each, count]) => (count === 0 ? [each] : [])))
    start(key);
  end();
  return promise;
}

/** A component as a whole is there when all its objects are; what waits for it learns which is not. */
function passBarrier(key: string, context: NodeContext): Promise<NodeOutcome> {
  const name = context.plan.barriers?.get(key) ?? key;
  const blocked = blockedBy(key, context);
  const isReached = blocked === undefined;
  return Promise.resolve({
    actuation: isReached ? "Succeeded" : "Skipped",
    reconcile: isReached ? "Succeeded" : "Skipped",
    status: isReached ? "Current" : "Unknown",
    message: isReached ? undefined : `${name}: ${blocked}`,
    stays: true,
  });
}

async function runNode(node: PlanNode, context: NodeContext): Promise<NodeOutcome> {
  // What a later stage decides on waits for nobody in this one.
  if (node.kind === "prune" && node.reason === laterStage) return pruneNode(node, context);
  if (node.kind === "apply" && node.hook?.isIdle === true) return leaveHook(node, context);
  const blocked = blockedBy(identityKey(node.identity), context);
  if (blocked !== undefined) return skip(node, context, blocked);
  if (node.kind === "prune" && node.action === "delete" && context.prunesNothing !== undefined)
    return skip(node, context, context.prunesNothing, "ApplyFailed");
  return node.kind === "apply" ? applyNode(node, context) : pruneNode(node, context);
}

/** Why a node cannot begin: the run is stopped, or something that it needs did not end well. */
function blockedBy(key: string, { plan, outcomes, signal }: NodeContext): string | undefined {
  if (signal.aborted) return "the run was interrupted";
  for (const edge of plan.graph.dependenciesOf(key)) {
    if (edge.soft === true) continue;
    const outcome = outcomes.get(edge.to);
    if (outcome === undefined) continue;
    const dependency = plan.nodes.get(edge.to);
    if (dependency === undefined) {
      if (isSuccess(outcome)) continue;
      return `it waits for the component ${outcome.message ?? plan.barriers?.get(edge.to) ?? edge.to}`;
    }
    const isDone = dependency.kind === "prune" ? !outcome.stays : isSuccess(outcome);
    if (!isDone) {
      const { kind, name } = dependency.identity;
      return `it waits for ${labelOfNode(dependency) ?? `${kind} ${name}`}, which ${dependency.kind === "prune" ? "is still there" : outcome.actuation === "Skipped" ? "was skipped" : "is not ready"}: ${outcome.message ?? outcome.status}`;
    }
  }
  return undefined;
}

function skip(
  node: PlanNode,
  { emit, destroys }: NodeContext,
  message: string,
  reason = "DependencyNotReady",
): NodeOutcome {
  const type = node.kind === "apply" ? "apply" : destroys ? "delete" : "prune";
  const [object, label] = [node.identity, labelOfNode(node)];
  emit({ type, object, label, status: "skipped", reason, message });
  return {
    actuation: "Skipped",
    reconcile: "Skipped",
    status: "Unknown",
    message,
    // A hook that could not run yet is remembered, so that the next run makes up for it.
    stays: node.kind === "prune" || node.live !== undefined || node.hook !== undefined,
    live: node.live,
  };
}
