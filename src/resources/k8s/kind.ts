import { kubernetesClass } from "./kubernetes-class.ts";
import type { KubernetesClass } from "./kubernetes-class.ts";
import { moduleOfKind } from "./named-class.ts";
import type { ObjectMeta } from "./types.ts";

/** What is known of a kind without a type: its metadata. */
export interface AnyFields {
  readonly metadata?: ObjectMeta | undefined;
  // A kind without a type is one whose fields the program knows better than the compiler.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any;
}

const made = new Map<string, unknown>();

/**
 * The class of any kind: `const Widget = k8s.kind("example.com/v1", "Widget")`. With a type of its
 * fields, such as `keelson types` writes, objects are checked as those of built-in kinds are.
 */
export function kind<T = AnyFields>(apiVersion: string, kind: string): KubernetesClass<T> {
  const key = `${apiVersion} ${kind}`;
  const known =
    made.get(key) ?? kubernetesClass<T>(apiVersion, kind, moduleOfKind(apiVersion, kind));
  made.set(key, known);
  return known as KubernetesClass<T>;
}
