import { ownershipOf } from "../inventory/index.ts";
import {
  apiVersionOf,
  formatIdentity,
  identityKey,
  type KubernetesObject,
  withoutOwners,
} from "../objects/index.ts";
import { isApiError, untilServed } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import { type ApplyNode, isProvisionedObject, ownershipRefusal } from "../plan/index.ts";
import { deadlineAfter } from "./deadline-after.ts";
import { filledObject } from "./filled-object.ts";
import { provisionNode } from "./provision-node.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import type { NodeContext } from "./run-plan.ts";
import { tellOfRetry } from "./tell-of-retry.ts";
import {
  describeRefusal,
  writeObject,
  type WriteObjectOptions,
  type WrittenObject,
} from "./write-object.ts";

export const conflictHint = "--force-conflicts takes the fields over";

interface Written {
  readonly object: KubernetesObject;
  readonly change: "created" | "configured" | "unchanged" | "recreated";
}

/** Writes one object and waits until it is ready. */
export async function applyNode(node: ApplyNode, context: NodeContext): Promise<NodeOutcome> {
  const { identity } = node;
  if (node.action === "skip") return refuse(node, context);
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
    if (error instanceof RefusedError)
      return refuse({ ...node, live: error.found, ...ownershipRefusal(error.owner) }, context);
    if (!(error instanceof DiagnosticError)) throw error;
    return failure(node, context, error, sent);
  }
  context.emit({ type: "apply", object: identity, status: "successful", change: written.change });
  return waitUntilReady(node, context, withoutOwners(written.object));
}

/** Leaves a hook as it is whose chart does not change: it has done its work, and may be gone. */
export function leaveHook({ identity, live }: ApplyNode, { emit }: NodeContext): NodeOutcome {
  emit({ type: "apply", object: identity, status: "successful", change: "unchanged" });
  return {
    actuation: "Succeeded",
    reconcile: "Succeeded",
    status: live === undefined ? "NotFound" : "Current",
    stays: true,
    live,
  };
}

/** Leaves an object as it is that a policy keeps from being written. */
function refuse(node: ApplyNode, { emit }: NodeContext): NodeOutcome {
  const { identity: object, reason, message, live } = node;
  emit({ type: "apply", object, status: "skipped", reason, message });
  return {
    actuation: "Skipped",
    reconcile: "Skipped",
    status: "Unknown",
    message,
    refused: true,
    stays: false,
    live,
  };
}

/** Thrown where an object appeared since the plan that is not ours to write. */
class RefusedError extends Error {
  readonly found: KubernetesObject;
  readonly owner: string | undefined;

  constructor(found: KubernetesObject, owner: string | undefined) {
    super("it belongs to somebody else");
    this.found = found;
    this.owner = owner;
  }
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
  const options: WriteObjectOptions = {
    cluster,
    manager,
    force: forceConflicts || node.takesOver,
    replaces: node.replacement !== undefined,
    createsOnly: true,
    onRetry: tellOfRetry(node.identity, context.emit),
  };
  const written = await writeObject(object, node.live, options).catch((error: unknown) =>
    writeAppeared(node, object, { error, options, context }),
  );
  if (written.kind === "written") return written;
  const { waiter, reconcileDeadline, signal } = context;
  if (!(await waiter.untilGone(written.live, reconcileDeadline, signal))) throw written.refusal;
  const { object: created } = await cluster.apply(object, { fieldManager: manager, force: true });
  return { object: created, change: "recreated" };
}

/**
 * Whether this run has made the namespace of an object. What is nobody's in there is there because of this run, such as
 * the service account `default`, which Kubernetes makes for every namespace.
 */
function isInNewNamespace({ metadata }: KubernetesObject, { plan }: NodeContext): boolean {
  const { namespace: name = "" } = metadata;
  const key = identityKey({ group: "", kind: "Namespace", namespace: "", name });
  return plan.nodes.get(key)?.action === "create";
}

/** Writes an object that the plan believed to be new, and that is there, if a plan would have done so. */
async function writeAppeared(
  { live }: ApplyNode,
  object: KubernetesObject,
  {
    error,
    options,
    context,
  }: {
    readonly error: unknown;
    readonly options: WriteObjectOptions;
    readonly context: NodeContext;
  },
): Promise<WrittenObject> {
  if (live !== undefined || !isApiError(error, "Conflict")) throw error;
  const { namespace, name = "" } = object.metadata;
  const found = await context.cluster.find({ ...object, namespace, name });
  // It went away again in the meantime.
  if (found === undefined) return writeObject(object, undefined, options);
  if (context.ownership === undefined) throw error;
  const { policy } = context.ownership;
  const ownership = ownershipOf(
    found,
    context.ownership,
    policy === "strict" && isInNewNamespace(object, context) ? "adopt" : policy,
  );
  if (ownership.kind === "refused") throw new RefusedError(found, ownership.owner);
  const isOurs = ownership.kind === "ours";
  const takesOver = policy === "force-adopt" && !isOurs;
  const written = await writeObject(object, found, {
    ...options,
    force: options.force || takesOver,
  });
  // An answer may have been lost: then it is what this run created itself.
  return isOurs && written.kind === "written" ? { ...written, change: "created" } : written;
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
  if (!waits && !isNeeded && node.hook === undefined) {
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
    const { reason, message, cause } = verdict;
    emit({ type: "wait", object: identity, status: "failed", reason, message, cause });
    return { ...done, reconcile: "Failed", status: verdict.status, message: verdict.message };
  }
  const { cause } = verdict;
  const message = signal.aborted
    ? `interrupted before it was ready: ${verdict.message}`
    : (cause?.summary ?? `not ready in time: ${verdict.message}`);
  const reason = signal.aborted ? "Interrupted" : verdict.reason;
  emit({ type: "wait", object: identity, status: "timeout", reason, message, cause });
  return { ...done, reconcile: "Timeout", status: verdict.status, message };
}

/** Until when a resource of a program may take to be ready, if the program says so. */
function ownDeadline({ action, resource }: ApplyNode): number {
  const { timeouts } = resource?.options ?? {};
  return deadlineAfter(action === "create" ? timeouts?.create : timeouts?.update);
}
