import type { KubernetesObject } from "../objects/index.ts";

/** Whether an object asked to be left alone when it is no longer wished for. */
export function isKept({ metadata }: KubernetesObject): boolean {
  const { annotations = {} } = metadata;
  return (
    annotations["client.lifecycle.config.k8s.io/deletion"] === "detach" ||
    annotations["cli-utils.sigs.k8s.io/on-remove"] === "keep"
  );
}
