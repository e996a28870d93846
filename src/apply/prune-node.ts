import { isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { owningInventoryAnnotation } from "../inventory/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import {
  deleteTimeoutAnnotation,
  inUseReasons,
  isRecordIdentity,
  labelOfNode,
  laterStage,
  type PruneNode,
  recordOfObject,
} from "../plan/index.ts";
import { deadlineAfter } from "./deadline-after.ts";
import type { NodeOutcome } from "./node-outcome.ts";
import { unprovision } from "./provision-node.ts";
import { deleteLive, releaseObject } from "./remove-object.ts";
import { tellOfRetry } from "./tell-of-retry.ts";
import type { NodeContext } from "./run-plan.ts";

/** Deletes, keeps or forgets one object that is no longer wished for. */
export async function pruneNode(node: PruneNode, context: NodeContext): Promise<NodeOutcome> {
  const { identity, live, action, reason, message } = node;
  const type = context.destroys ? "delete" : "prune";
  const tell = (
    status: "pending" | "successful" | "skipped" | "failed" | "timeout",
    why: string | undefined,
    text: string | undefined,
  ): void => {
    const label = labelOfNode(node);
    context.emit({ type, object: identity, label, status, reason: why, message: text });
  };
  if (action === "forget") {
    tell("successful", reason, message);
    return gone;
  }
  if (reason === laterStage) {
    return { ...kept, status: "Unknown", message, live };
  }
  if (live === undefined) {
    // Nobody knows whether it is there: it stays in the inventory, and that is no success.
    tell("skipped", reason, message);
    return {
      actuation: "Skipped",
      reconcile: "Skipped",
      status: "Unknown",
      message,
      refused: true,
      stays: true,
      live,
    };
  }
  if (action === "skip") {
    tell("skipped", reason, message);
    const inUse = inUseReasons.some((each) => each === reason);
    return {
      actuation: "Skipped",
      reconcile: "Skipped",
      status: "Current",
      message,
      refused: !inUse,
      stays: true,
      live,
    };
  }
  try {
    if (action === "keep") {
      const { cluster, manager } = context;
      await releaseObject(cluster, live, inventoryMarks, { fieldManager: manager });
      tell("skipped", reason, message);
      return { ...gone, actuation: "Skipped", message };
    }
    tell("pending", undefined, undefined);
    const heir = isRecordIdentity(identity) ? heirOf(live, context) : undefined;
    if (isRecordIdentity(identity) && heir === undefined) await unprovision(live, context);
    const stays = heir === undefined ? message : `${heir} has it now; only its record goes`;
    const { propagationPolicy } = context;
    const onRetry = tellOfRetry(identity, context.emit);
    const removed = await context.writes.run(() =>
      deleteLive(context.cluster, live, { propagationPolicy, onRetry }),
    );
    if (removed.kind === "gone") {
      tell("successful", "Gone", "it is gone already");
      return gone;
    }
    const isGone =
      removed.kind === "deleted" ||
      (await context.waiter.untilGone(
        live,
        Math.min(context.pruneDeadline, ownDeadline(live)),
        context.signal,
      ));
    if (isGone) {
      tell("successful", undefined, stays);
      return gone;
    }
    const text = context.signal.aborted
      ? "the run was interrupted before it was gone"
      : "it was not gone in time; finalizers may hold it";
    tell("timeout", "Timeout", text);
    return {
      actuation: "Succeeded",
      reconcile: "Timeout",
      status: "Terminating",
      message: text,
      stays: true,
      live,
    };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    const code = isApiError(error) || first === undefined ? "DeleteFailed" : first.code;
    tell("failed", code, error.message);
    return {
      actuation: "Failed",
      reconcile: "Skipped",
      status: "Current",
      message: error.message,
      stays: true,
      live,
    };
  }
}

/** The resource of this run that has the very thing of a record that leaves, under another name. */
function heirOf(live: KubernetesObject, { plan, outcomes }: NodeContext): string | undefined {
  const { spec, status } = recordOfObject(live) ?? {};
  for (const [key, node] of status?.id === undefined ? [] : plan.nodes) {
    const other = outcomes.get(key)?.live;
    const record = node.kind === "apply" && other ? recordOfObject(other) : undefined;
    const isSame =
      record?.spec.provider === spec?.provider &&
      record?.spec.type === spec?.type &&
      record?.status?.id === status?.id;
    if (isSame) return labelOfNode(node);
  }
  return undefined;
}

/** Until when an object may take to be gone, if it says so itself. */
function ownDeadline({ metadata }: KubernetesObject): number {
  return deadlineAfter(metadata.annotations?.[deleteTimeoutAnnotation]);
}

/** It stays, and nobody minds. */
const kept = {
  actuation: "Succeeded",
  reconcile: "Skipped",
  stays: true,
} as const;

const gone: NodeOutcome = {
  actuation: "Succeeded",
  reconcile: "Succeeded",
  status: "NotFound",
  stays: false,
};

const inventoryMarks = { annotations: [owningInventoryAnnotation] };
