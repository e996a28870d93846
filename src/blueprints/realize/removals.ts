import type { JsonObject } from "../../json/index.ts";
import { identityOf, type KubernetesObject, identityKey } from "../../objects/index.ts";
import type { Graph } from "../../graph/index.ts";
import { type Removal, removalOf } from "../../plan/index.ts";
import type { Action } from "./realization.ts";
import { leavingGraph } from "./removal-order.ts";

/** An object that is no longer stamped and stays all the same. */
export interface StayingObject {
  readonly object: KubernetesObject;
  readonly reason: string;
  readonly message: string;
}

/** What is done about objects that nobody stamps any more, and which of them stay. */
export interface Removals {
  readonly actions: readonly Action[];
  readonly stays: readonly StayingObject[];
}

/** More than this are not listed in a status. */
const mostTold = 50;

/**
 * Deletes what nothing of the rest depends on; the others follow when those are gone. What asks to stay is
 * released, or left as it is together with what it depends on.
 */
export function settleRemovals(actions: readonly Action[]): Removals {
  const leaving = new Map(
    actions.flatMap((action) =>
      // Of the runs of one step none depends on another one.
      action.kind === "delete" && action.reason !== "retention"
        ? [[keyOf(action.object), action.object] as const]
        : [],
    ),
  );
  const graph = leavingGraph([...leaving.values()]);
  const kept = protectedWithNeeds(leaving, graph);
  const stays: StayingObject[] = [];
  const settled = actions.flatMap((action): readonly Action[] => {
    if (action.kind !== "delete") return [action];
    const { step, object } = action;
    const { action: fate, reason = "", message = "" } = removalOfStamped(object);
    const isGoing = object.metadata.deletionTimestamp !== undefined;
    const stay =
      kept.get(keyOf(object)) ?? (fate === "skip" ? { object, reason, message } : undefined);
    if (stay !== undefined && !isGoing) {
      stays.push(stay);
      return [];
    }
    if (fate === "keep" && !isGoing) return [{ kind: "release", step, object, message }];
    const dependents = graph
      .dependentsOf(keyOf(object))
      .flatMap(({ from }) => leaving.get(from) ?? []);
    if (dependents.length === 0 && !isGoing) return [action];
    // What is on its way out already need not be deleted again.
    if (leaving.has(keyOf(object))) stays.push(pruning(object, isGoing ? [] : dependents));
    return [];
  });
  return { actions: settled, stays };
}

/** What stays would be of no use without what it depends on: that stays, too. */
function protectedWithNeeds(
  leaving: ReadonlyMap<string, KubernetesObject>,
  graph: Graph,
): ReadonlyMap<string, StayingObject> {
  const stays = new Map<string, StayingObject>();
  for (const [key, object] of leaving) {
    const { action, reason = "", message = "" } = removalOfStamped(object);
    if (action === "skip") stays.set(key, { object, reason, message });
  }
  const queue = [...stays.keys()];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const { to } of graph.dependenciesOf(key)) {
      const object = leaving.get(to);
      const user = leaving.get(key);
      if (object === undefined || user === undefined || stays.has(to)) continue;
      const message = `${nameOf(user)}, which stays, depends on it`;
      stays.set(to, { object, reason: "InUse", message });
      queue.push(to);
    }
  }
  return stays;
}

const pruningReason = "Pruning";

/** Listed until it is gone, so that whoever takes over knows of it. */
function pruning(object: KubernetesObject, dependents: readonly KubernetesObject[]): StayingObject {
  const message =
    dependents.length === 0
      ? "it is being deleted"
      : `waits until these are gone: ${dependents.map(nameOf).join(", ")}`;
  return { object, reason: pruningReason, message };
}

/** Whether an object asks to stay when nobody stamps it any more. */
export function asksToStay(object: KubernetesObject): boolean {
  return removalOfStamped(object).action !== "delete";
}

/** What is told of objects that stay, in the status of their owner. */
export function stayingStatus(stays: readonly StayingObject[]): JsonObject {
  if (stays.length === 0) return {};
  return {
    stayingObjects: stays.slice(0, mostTold).map(({ object, reason, message }) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name ?? "",
      reason,
      message,
    })),
  };
}

export function stayingText(stays: readonly StayingObject[]): string {
  return stays
    .slice(0, mostTold)
    .map(({ object, reason, message }) =>
      reason === pruningReason
        ? `${nameOf(object)} leaves: ${message}`
        : `${nameOf(object)} stays: ${message}`,
    )
    .join("; ");
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}

function keyOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}

function removalOfStamped(live: KubernetesObject): Removal {
  return removalOf({ identity: identityOf(live), live, ownership: { kind: "ours" } });
}
