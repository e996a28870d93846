import { cyclesOf, type Edge, Graph, withoutSoftCycles } from "../../graph/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import { objectGraph, waitsForNames } from "../../plan/index.ts";
import { labelValue, stepLabel } from "../stamping/stamp-labels.ts";

/**
 * What objects that leave depend on among themselves: by the steps that theirs took values from, and by
 * all that orders objects anywhere else.
 */
export function leavingGraph(objects: readonly KubernetesObject[]): Graph {
  const byStep = Map.groupBy(objects, ({ metadata }) => metadata.labels?.[stepLabel] ?? "");
  const stepEdges = objects.flatMap((object) =>
    waitsForNames(object).flatMap((step) =>
      (byStep.get(labelValue(step)) ?? []).map((target): Edge => ({
        from: keyOf(object),
        to: keyOf(target),
        reason: `its step takes values of ${step}`,
      })),
    ),
  );
  const graph = withoutSoftCycles(
    new Graph(objects.map(keyOf), [...objectGraph(objects), ...stepEdges]),
  );
  // Objects that wait for each other in a circle have no order, and must go all the same.
  return cyclesOf(graph).opened;
}

function keyOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}
