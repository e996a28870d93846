import type { KubernetesObject } from "../objects/index.ts";

/** Asks that an object is never deleted, neither by a prune nor by a destroy. */
export const protectAnnotation = "keelson.dev/protect";
export const keepAnnotation = "cli-utils.sigs.k8s.io/on-remove";
/** Says how long it may take until an object is gone: whoever deletes it may no longer know its program. */
export const deleteTimeoutAnnotation = "keelson.dev/delete-timeout";

/** Whether an object asked to be left alone when it is no longer wished for. */
export function isKept({ metadata }: KubernetesObject): boolean {
  const { annotations = {} } = metadata;
  return (
    annotations["client.lifecycle.config.k8s.io/deletion"] === "detach" ||
    annotations[keepAnnotation] === "keep"
  );
}

export function isProtected({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[protectAnnotation] === "true";
}
