import type { KubernetesObject } from "../../objects/index.ts";
import type { Runtime } from "./runtime.ts";

export const storageClasses = "storage.k8s.io/storageclasses";

export function className(claim: KubernetesObject): string {
  const { storageClassName } = (claim["spec"] ?? {}) as { readonly storageClassName?: string };
  return storageClassName ?? "";
}

/** Whether a claim's class binds only when a pod that uses it has found its node. */
export function waitsForConsumer({ client }: Runtime, claim: KubernetesObject): boolean {
  const found = client.get(storageClasses, "", className(claim));
  return found?.["volumeBindingMode"] === "WaitForFirstConsumer";
}
