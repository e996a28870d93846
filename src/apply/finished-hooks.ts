import { DiagnosticError } from "../diagnostics/index.ts";
import type { ApplyNode, Plan } from "../plan/index.ts";
import { isSuccess, type NodeOutcome } from "./node-outcome.ts";
import { deleteLive } from "./remove-object.ts";
import type { NodeContext } from "./run-plan.ts";

/**
 * Deletes hooks that have run and ask for it. Those that succeed go when all of their phase have succeeded:
 * the account of a Job is such a hook, too. They stay in the inventory, as what has been done.
 */
export async function deleteFinishedHooks(
  { nodes }: Plan,
  context: NodeContext,
  outcomes: Map<string, NodeOutcome>,
): Promise<void> {
  const ran = [...nodes].flatMap(([key, node]): readonly RanHook[] => {
    const outcome = outcomes.get(key);
    if (node.kind !== "apply" || node.hook === undefined || node.hook.isIdle) return [];
    return outcome === undefined ? [] : [{ key, node, hook: node.hook, outcome }];
  });
  const failedPhases = new Set(
    ran.filter(({ outcome }) => !isSuccess(outcome)).map(({ hook }) => hook.phase),
  );
  for (const each of ran) {
    const { key, hook, outcome } = each;
    const isDone = isSuccess(outcome)
      ? hook.deletesSucceeded && !failedPhases.has(hook.phase)
      : hook.deletesFailed && outcome.reconcile === "Failed";
    if (isDone && mayWrite(each, context)) outcomes.set(key, await deleteHook(each, context));
  }
}

interface RanHook {
  readonly key: string;
  readonly node: ApplyNode;
  readonly hook: NonNullable<ApplyNode["hook"]>;
  readonly outcome: NodeOutcome;
}

/** A run that only waits holds no Lease. */
function mayWrite({ node }: RanHook, { fence, signal }: NodeContext): boolean {
  return !signal.aborted && (node.action !== "unchanged" || fence !== undefined);
}

async function deleteHook(
  { node: { identity }, outcome }: RanHook,
  { cluster, emit, propagationPolicy }: NodeContext,
): Promise<NodeOutcome> {
  if (outcome.live === undefined) return outcome;
  try {
    await deleteLive(cluster, outcome.live, { propagationPolicy });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const { message } = error;
    emit({ type: "prune", object: identity, status: "failed", reason: "DeleteFailed", message });
    return { ...outcome, actuation: "Failed", message };
  }
  const message = `its hook has ${isSuccess(outcome) ? "succeeded" : "failed"}, and asks to be deleted`;
  emit({ type: "status", object: identity, status: "NotFound", reason: "HookDeleted", message });
  return { ...outcome, status: "NotFound" };
}
