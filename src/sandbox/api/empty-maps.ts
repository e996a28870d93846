import { isJsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * Custom resources that were applied with empty labels or annotations. A real server stores them so,
 * but shows none of them when it reads; so the next write that leaves them out is a change, although
 * nobody can see one.
 */
const applied = new WeakSet<KubernetesObject>();

/** Whether an apply leaves maps in an object that are stored but not shown. */
export function leavesEmptyMaps({ custom }: ServedResource, merged: KubernetesObject): boolean {
  if (custom === undefined) return false;
  const { labels, annotations } = merged.metadata;
  return [labels, annotations].some((map) => isJsonObject(map) && Object.keys(map).length === 0);
}

export function noteEmptyMaps(object: KubernetesObject): KubernetesObject {
  applied.add(object);
  return object;
}

export function hasEmptyMaps(object: KubernetesObject): boolean {
  return applied.has(object);
}
