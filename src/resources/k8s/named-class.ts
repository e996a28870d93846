import { groupOf } from "../../objects/api-version.ts";
import { kubernetesClass } from "./kubernetes-class.ts";
import type { KubernetesClass } from "./kubernetes-class.ts";

const named = new Map<string, string>();

/** Makes the class of a kind that is exported by its name. */
export function namedClass<T>(apiVersion: string, kind: string): KubernetesClass<T> {
  named.set(kind, groupOf(apiVersion));
  return kubernetesClass(apiVersion, kind, "keelson:k8s");
}

/**
 * The module part of a kind's type token. It has the group, so that kinds of one name differ, and
 * not the version, so that moving to another version is not another resource.
 */
export function moduleOfKind(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return named.get(kind) === group || group === "" ? "keelson:k8s" : `keelson:k8s/${group}`;
}
