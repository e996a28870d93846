import { identityKey, identityOf, type KubernetesObject } from "../../objects/index.ts";
import { dependencyWait, type DependencyWait } from "../../plan/index.ts";
import type { HealthRule } from "../model/health-rule.ts";
import { healthOf } from "../stamping/health-of.ts";
import type { World } from "./realization.ts";

/**
 * What an object that is about to be stamped waits for by its annotation depends-on: what is stamped for
 * the same owner is judged as its template says, anything else by its kind.
 */
export function stampingWait(
  object: KubernetesObject,
  world: World,
  ruleOf: (stamped: KubernetesObject) => HealthRule | undefined,
): DependencyWait | undefined {
  return dependencyWait(object, (identity) => {
    const key = identityKey(identity);
    const own = world.live.find((each) => identityKey(identityOf(each)) === key);
    if (own === undefined) return world.outside(identity);
    const isLeaving = own.metadata.deletionTimestamp !== undefined;
    return !isLeaving && healthOf(ruleOf(own), own, world).status === "True"
      ? { kind: "ready" }
      : { kind: "waiting", why: "which is not ready" };
  });
}
