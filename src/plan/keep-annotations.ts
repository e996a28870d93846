import { owningInventoryAnnotation } from "../inventory/index.ts";
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
    annotations[keepAnnotation] === "keep" ||
    annotations["helm.sh/resource-policy"] === "keep"
  );
}

const mutationPolicyAnnotation = "client.lifecycle.config.k8s.io/mutation";

/**
 * Whether an object that is there asks to be left as it is, live and in the input: it is created, and never
 * changed after that. One that is still to be marked as owned is written once more.
 */
export function isLeftAsItIs(wanted: KubernetesObject, live: KubernetesObject): boolean {
  const [desired = {}, found = {}] = [wanted.metadata.annotations, live.metadata.annotations];
  return (
    desired[mutationPolicyAnnotation] === "ignore" &&
    found[mutationPolicyAnnotation] === "ignore" &&
    desired[owningInventoryAnnotation] === found[owningInventoryAnnotation]
  );
}

export function isProtected({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[protectAnnotation] === "true";
}
