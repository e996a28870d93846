import { type Edge, Graph } from "../graph/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import { leaveInOrder, type OwnedRemoval } from "../plan/index.ts";
import type { BundleObject, BundleWorld } from "./bundle-world.ts";
import { keyOf } from "./bundle-status.ts";

/** Why an object that left its bundle is still there and not deleted. */
export interface Stay {
  readonly reason: string;
  readonly message: string;
}

/** What is to be done now with objects that leave, and which of them stay. */
export interface TakenDown {
  readonly actions: readonly OwnedRemoval[];
  /** By the key of the object. */
  readonly stays: ReadonlyMap<string, Stay>;
}

/**
 * What leaves a bundle goes dependents first. What must stay is left as it is; with the bundle itself it is
 * released instead, what it depends on before it.
 */
export function takeDown(
  objects: readonly BundleObject[],
  world: BundleWorld,
  withBundle: boolean,
): TakenDown {
  const present = new Map(
    objects.flatMap((object) => {
      const live = world.live(object);
      return live === undefined ? [] : [[live, object] as const];
    }),
  );
  const live = [...present.keys()];
  const graph = ownersGraph(live);
  const departures = leaveInOrder(live, graph);
  const staying = new Set(
    departures.flatMap(({ object, kind }) => (kind === "stay" ? [nodeOf(object)] : [])),
  );
  const stays = new Map<string, Stay>();
  const actions = departures.flatMap((departure): readonly OwnedRemoval[] => {
    const { object, kind, reason, message } = departure;
    const left = present.get(object);
    if (left === undefined || kind === "wait") return [];
    const step = keyOf(left);
    if (kind === "delete") return [{ kind, step, object }];
    if (kind === "release") return [{ kind, step, object, message }];
    stays.set(step, { reason, message });
    const isLast = graph.dependenciesOf(nodeOf(object)).every(({ to }) => !staying.has(to));
    return withBundle && isLast ? [{ kind: "release", step, object, message }] : [];
  });
  return { actions, stays };
}

/** Objects of a bundle are owned by what they depend on. */
function ownersGraph(live: readonly KubernetesObject[]): Graph {
  const byUid = new Map(live.map((object) => [object.metadata.uid, nodeOf(object)]));
  const edges = live.flatMap((object) =>
    (object.metadata.ownerReferences ?? []).flatMap(({ uid, kind, name }): readonly Edge[] => {
      const to = byUid.get(uid);
      return to === undefined
        ? []
        : [{ from: nodeOf(object), to, reason: `owned by ${kind} ${name}` }];
    }),
  );
  return new Graph(live.map(nodeOf), edges);
}

function nodeOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}
