import type { KubernetesObject } from "./kubernetes-object.ts";

const decimal = /^[1-9]\d*$/;

/** Whether one state of an object is certainly newer than another; false where nobody can tell. */
export function isNewerVersion(left: KubernetesObject, right: KubernetesObject): boolean {
  const { resourceVersion: one = "" } = left.metadata;
  const { resourceVersion: other = "" } = right.metadata;
  return isLaterVersion(one, other);
}

/** Whether one resource version is certainly later than another. */
export function isLaterVersion(one: string, other: string): boolean {
  if (!decimal.test(one) || !decimal.test(other)) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
