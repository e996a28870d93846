import {
  apiVersionOf,
  formatIdentity,
  identityKey,
  type KubernetesObject,
  withoutOwners,
} from "../objects/index.ts";
import { isApiError, untilServed } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import { type ApplyNode, isProvisionedObject } from "../plan/index.ts";
import { deadlineAfter } from "./deadline-after.ts";
import { filledObject } from "./filled-object.ts";
import { provisionNode } from "./provision-node.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import type { NodeContext } from "./run-plan.ts";
import { tellOfRetry } from "./tell-of-retry.ts";
import { describeRefusal, writeObject } from "./write-object.ts";

export const conflictHint = "--force-conflicts takes the fields over";

interface Written {
  readonly object: KubernetesObject;
  readonly change: "created" | "configured" | "unchanged" | "recreated";
}

/** Writes one object and waits until it is ready. */
export async function applyNode(node: ApplyNode, context: NodeContext): Promise<NodeOutcome> {
  const { identity } = node;
  if (node.action === "skip") {
    context.emit({
      type: "apply",
      object: identity,
      status: "skipped",
      reason: node.reason,
      message: node.message,
    });
    return {
      actuation: "Skipped",
      reconcile: "Skipped",
      status: "Unknown",
      message: node.message,
      refused: true,
      stays: false,
      live: node.live,
    };
  }
  let written: Written;
  let sent: KubernetesObject | undefined;
  const onSend = (object: KubernetesObject): void => {
    sent = object;
  };
  try {
    await waitForExternal(node, context);
    written =
      node.action === "unchanged" && node.live !== undefined
        ? { object: node.live, change: "unchanged" }
        : await context.writes.run(() => writeUnlessStopped(node, context, onSend));
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return failure(node, context, error, sent);
  }
  context.emit({ type: "apply", object: identity, status: "successful", change: written.change });
  return waitUntilReady(node, context, withoutOwners(written.object));
}

/** While it waited for its turn the run may have been stopped. */
async function writeUnlessStopped(
  node: ApplyNode,
  context: NodeContext,
  onSend: (object: KubernetesObject) => void,
): Promise<Written> {
  if (context.signal.aborted) {
    fail({ code: "live.interrupted", summary: "the run was interrupted before it was written" });
  }
  const object = await filledObject(node, context);
  onSend(object);
  return write(node, object, context);
}

async function write(
  node: ApplyNode,
  object: KubernetesObject,
  context: NodeContext,
): Promise<Written> {
  const { cluster, manager, forceConflicts } = context;
  if (isProvisionedObject(object)) return provisionNode(node, object, context);
  await untilServed(cluster, object, context.signal);
  const written = await writeObject(object, node.live, {
    cluster,
    manager,
    force: forceConflicts || node.takesOver,
    replaces: node.replacement !== undefined,
    onRetry: tellOfRetry(node.identity, context.emit),
  });
  if (written.kind === "written") return written;
  const { waiter, reconcileDeadline, signal } = context;
  if (!(await waiter.untilGone(written.live, reconcileDeadline, signal))) throw written.refusal;
  const { object: created } = await cluster.apply(object, { fieldManager: manager, force: true });
  return { object: created, change: "recreated" };
}

async function waitForExternal(
  node: ApplyNode,
  { cluster, waiter, reconcileDeadline, signal }: NodeContext,
): Promise<void> {
  for (const identity of node.externalDependencies) {
    const resource = (await cluster.resources()).preferred(identity.group, identity.kind);
    if (resource === undefined) continue;
    const object = await cluster.get({
      apiVersion: apiVersionOf(resource),
      kind: identity.kind,
      namespace: identity.namespace,
      name: identity.name,
    });
    const verdict = await waiter.untilReady(
      object,
      identity.kind === "Job",
      reconcileDeadline,
      signal,
    );
    if (verdict.status === "Current") continue;
    throw new DiagnosticError([
      {
        code: "live.dependency-not-ready",
        severity: "error",
        summary: `it depends on ${formatIdentity(identity)}, which is not ready: ${verdict.message}`,
      },
    ]);
  }
}

function failure(
  node: ApplyNode,
  { emit }: NodeContext,
  error: DiagnosticError,
  sent: KubernetesObject | undefined,
): NodeOutcome {
  const [first] = error.diagnostics;
  const reason = isApiError(error) ? error.reason : (first?.code ?? "Failed");
  const text = describeRefusal(error, { sent, live: node.live, conflictHint });
  emit({ type: "apply", object: node.identity, status: "failed", reason, message: text });
  return {
    actuation: "Failed",
    reconcile: "Skipped",
    status: node.live === undefined ? "NotFound" : "Unknown",
    message: text,
    stays: node.live !== undefined || isRecorded(sent) || mayHaveBeenWritten(error),
    live: node.live,
  };
}

/**
 * Whether an object may be there although its write failed: the answer was lost, or the server broke
 * down over it. Then it stays in the inventory; the next run finds out.
 */
function mayHaveBeenWritten(error: DiagnosticError): boolean {
  if (isApiError(error)) return error.status.code >= 500 || error.status.code === 0;
  return error.diagnostics.some(({ code }) => code.startsWith("cluster."));
}

/** The record of a resource is written before its provider is asked, and tells what became of that. */
function isRecorded(sent: KubernetesObject | undefined): boolean {
  return sent !== undefined && isProvisionedObject(sent);
}

async function waitUntilReady(
  node: ApplyNode,
  context: NodeContext,
  object: KubernetesObject,
): Promise<NodeOutcome> {
  const { waiter, waits, plan, emit, signal } = context;
  const { identity } = node;
  const mustComplete = node.mustComplete || context.waitsForJobs === true;
  const isNeeded = plan.graph.dependentsOf(identityKey(identity)).some(({ soft }) => soft !== true);
  const done = { actuation: "Succeeded" as const, stays: true, live: object };
  if (!waits && !isNeeded) {
    return { ...done, reconcile: "Skipped", status: waiter.judge(object, mustComplete).status };
  }
  const deadline = Math.min(context.reconcileDeadline, ownDeadline(node));
  const verdict = await waiter.untilReady(object, mustComplete, deadline, signal);
  if (verdict.status === "Current") {
    emit({
      type: "wait",
      object: identity,
      status: "successful",
      reason: verdict.reason,
      message: verdict.message,
    });
    return { ...done, reconcile: "Succeeded", status: verdict.status };
  }
  if (verdict.status === "Failed") {
    emit({
      type: "wait",
      object: identity,
      status: "failed",
      reason: verdict.reason,
      message: verdict.message,
    });
    return { ...done, reconcile: "Failed", status: verdict.status, message: verdict.message };
  }
  const message = signal.aborted
    ? `interrupted before it was ready: ${verdict.message}`
    : `not ready in time: ${verdict.message}`;
  const reason = signal.aborted ? "Interrupted" : verdict.reason;
  emit({ type: "wait", object: identity, status: "timeout", reason, message });
  return { ...done, reconcile: "Timeout", status: verdict.status, message };
}

/** Until when a resource of a program may take to be ready, if the program says so. */
function ownDeadline({ action, resource }: ApplyNode): number {
  const { timeouts } = resource?.options ?? {};
  return deadlineAfter(action === "create" ? timeouts?.create : timeouts?.update);
}
