import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { Graph } from "../../graph/index.ts";
import { leaveInOrder } from "../../plan/index.ts";
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

/** What is done now about objects that are no longer stamped. */
export function settleRemovals(actions: readonly Action[]): Removals {
  const deletions = actions.filter((action) => action.kind === "delete");
  const objectsOf = (isRetired: boolean): readonly KubernetesObject[] =>
    deletions.flatMap(({ reason, object }) =>
      (reason === "retention") === isRetired ? [object] : [],
    );
  const leaving = objectsOf(false);
  const departures = new Map(
    [
      ...leaveInOrder(leaving, leavingGraph(leaving)),
      // Of the runs of one step none depends on another one.
      ...leaveInOrder(objectsOf(true), new Graph([], [])),
    ].map((departure) => [departure.object, departure]),
  );
  const stays: StayingObject[] = [];
  const settled = actions.flatMap((action): readonly Action[] => {
    const departure = action.kind === "delete" ? departures.get(action.object) : undefined;
    if (action.kind !== "delete" || departure === undefined || departure.kind === "delete")
      return [action];
    const { kind, message } = departure;
    if (kind === "release") return [{ kind, step: action.step, object: action.object, message }];
    // Listed until it is gone, so that whoever takes over knows of it.
    if (kind === "stay" || action.reason !== "retention") stays.push(departure);
    return [];
  });
  return { actions: settled, stays };
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
      reason === "Pruning"
        ? `${nameOf(object)} leaves: ${message}`
        : `${nameOf(object)} stays: ${message}`,
    )
    .join("; ");
}

function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}
