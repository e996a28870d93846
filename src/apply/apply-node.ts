import type { ApiError } from "../cluster/index.ts";
import { type Cluster, isApiError, referenceTo, untilServed } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import {
  formatIdentity,
  identityKey,
  type KubernetesObject,
  maskFilledText,
  withoutOwners,
} from "../objects/index.ts";
import { type ApplyNode, isProvisionedObject } from "../plan/index.ts";
import { deadlineAfter } from "./deadline-after.ts";
import { mutate } from "./mutate.ts";
import { fillObject, knownOutputs, sourcesOf } from "./program-run.ts";
import { provisionNode } from "./provision-node.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import type { NodeContext } from "./run-plan.ts";
import { takeOverClientSideApply } from "./take-over-client-side-apply.ts";

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
  const object = await mutate({ ...node, object: await filled(node, context) }, context);
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
  if (node.live !== undefined && node.replacement !== undefined)
    return recreate(node.live, object, context);
  if (node.live !== undefined) await takeOverClientSideApply(cluster, node.live, manager);
  try {
    const result = await cluster.apply(object, {
      fieldManager: manager,
      force: forceConflicts || node.takesOver,
    });
    // Sent twice because the first answer was lost, the second one says that it was there already.
    if (result.created || node.live === undefined)
      return { object: result.object, change: "created" };
    const isSame = result.object.metadata.resourceVersion === node.live.metadata.resourceVersion;
    return { object: result.object, change: isSame ? "unchanged" : "configured" };
  } catch (error) {
    if (node.live === undefined || !wantsRecreation(node) || !isApiError(error, "Invalid"))
      throw error;
    return recreate(node.live, object, context, error);
  }
}

/** The object with the values that other resources have given by now. */
async function filled(node: ApplyNode, context: NodeContext): Promise<KubernetesObject> {
  const { program, cluster, plan, outcomes } = context;
  const key = identityKey(node.identity);
  const raw = program?.desired.byKey.get(key);
  if (program === undefined || raw === undefined || node.isDeferred !== true) return node.object;
  const outputs = await knownOutputs(cluster, program, sourcesOf(raw), async (each) => {
    const live = outcomes.get(each)?.live ?? plan.nodes.get(each)?.live;
    // Much of what an object says of itself comes only after it was written.
    return live === undefined || isProvisionedObject(live) ? live : cluster.find(referenceTo(live));
  });
  const object = await fillObject(program, raw, outputs);
  if (object === undefined) {
    fail({
      code: "program.unresolved",
      summary: "a value that it needs is still not known, although all that it waits for is there",
    });
  }
  // What the plan added stays: the name of the inventory. What it only had words for does not.
  const annotations = { ...node.object.metadata.annotations, ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function wantsRecreation({ object }: ApplyNode): boolean {
  return object.metadata.annotations?.["keelson.dev/on-immutable"] === "recreate";
}

/** Deletes and creates an object whose fields cannot change, once it is sure that it can be created. */
async function recreate(
  live: KubernetesObject,
  object: KubernetesObject,
  context: NodeContext,
  refusal?: ApiError,
): Promise<Written> {
  const { cluster, manager, waiter, reconcileDeadline, signal } = context;
  if (!(await canBeCreated(cluster, object, manager))) throw refusal ?? cannotBeReplaced();
  await cluster.delete(referenceTo(live), {
    uid: live.metadata.uid,
    propagationPolicy: "Foreground",
  });
  if (!(await waiter.untilGone(live, reconcileDeadline, signal)))
    throw refusal ?? cannotBeReplaced();
  const { object: created } = await cluster.apply(object, { fieldManager: manager, force: true });
  return { object: created, change: "recreated" };
}

function cannotBeReplaced(): DiagnosticError {
  return new DiagnosticError([
    {
      code: "program.not-replaced",
      severity: "error",
      summary: "it must be replaced, and the new one cannot be created or the old one does not go",
      hint: "kubectl describe shows what the server holds against it, or which finalizers hold it",
    },
  ]);
}

/** Tries it under another name: an object that is invalid as such must not cost the one that is there. */
async function canBeCreated(
  cluster: Cluster,
  object: KubernetesObject,
  manager: string,
): Promise<boolean> {
  const name = `${(object.metadata.name ?? "").slice(0, 40)}-keelson-check`;
  try {
    await cluster.apply(
      { ...object, metadata: { ...object.metadata, name } },
      { fieldManager: manager, dryRun: true, force: true },
    );
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

async function waitForExternal(
  node: ApplyNode,
  { cluster, waiter, reconcileDeadline, signal }: NodeContext,
): Promise<void> {
  for (const identity of node.externalDependencies) {
    const resource = (await cluster.resources()).preferred(identity.group, identity.kind);
    if (resource === undefined) continue;
    const apiVersion =
      resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
    const object = await cluster.get({
      apiVersion,
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

/** The words of a server quote values; those that were filled in from Secrets must not be shown. */
function failure(
  node: ApplyNode,
  { emit }: NodeContext,
  error: DiagnosticError,
  sent: KubernetesObject | undefined,
): NodeOutcome {
  const [first] = error.diagnostics;
  const isConflict = isApiError(error, "Conflict");
  const isFixed = node.live !== undefined && isApiError(error, "Invalid");
  const hint = isConflict
    ? conflictHint
    : (first?.hint ??
      (isFixed
        ? "if the field cannot be changed, the annotation keelson.dev/on-immutable: recreate lets it be made anew"
        : undefined));
  const said = [first?.summary ?? error.message, first?.detail, hint]
    .filter((part) => part !== undefined)
    .join("; ");
  const reason = isApiError(error) ? error.reason : (first?.code ?? "Failed");
  const text = maskFilledText(said, sent);
  emit({ type: "apply", object: node.identity, status: "failed", reason, message: text });
  return {
    actuation: "Failed",
    reconcile: "Skipped",
    status: node.live === undefined ? "NotFound" : "Unknown",
    message: text,
    stays: node.live !== undefined || mayHaveBeenWritten(error),
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
