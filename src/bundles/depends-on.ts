import { groupOf, identityKey, type KubernetesObject } from "../objects/index.ts";
import { dependencyWait, type DependencyState } from "../plan/index.ts";
import type { Bundle } from "./bundle.ts";
import type { BundleObject, BundleWorld } from "./bundle-world.ts";
import { objectOf } from "./describe-resource.ts";
import { type ResourceState, terminal } from "./resource-state.ts";

/** What an object that is about to be written waits for by its annotation depends-on. */
export function stateByDependsOn(
  wanted: KubernetesObject,
  bundle: Bundle,
  world: BundleWorld,
): ResourceState | undefined {
  const own = new Map(
    bundle.resources.flatMap((resource) => {
      const object = objectOf(resource, world.plugin);
      return object === undefined ? [] : [[keyIn(object, bundle.namespace), object] as const];
    }),
  );
  const wait = dependencyWait(wanted, (identity) => {
    const object = own.get(identityKey(identity));
    return object === undefined ? world.outside(identity) : ownState(object, world);
  });
  if (wait === undefined) return undefined;
  return wait.kind === "problem"
    ? terminal(wait.message)
    : { kind: "blocked", message: wait.message };
}

function ownState(object: BundleObject, world: BundleWorld): DependencyState {
  const live = world.live(object);
  if (live === undefined) return { kind: "waiting", why: "which is not there yet" };
  return world.readinessOf(live).status === "Current"
    ? { kind: "ready" }
    : { kind: "waiting", why: "which is not ready" };
}

function keyIn({ apiVersion, kind, name }: BundleObject, namespace: string): string {
  return identityKey({ group: groupOf(apiVersion), kind, namespace, name });
}
