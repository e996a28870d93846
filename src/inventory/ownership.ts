import type { KubernetesObject } from "../objects/index.ts";
import { owningInventoryAnnotation } from "./group-names.ts";

export type InventoryPolicy = "strict" | "adopt" | "force-adopt";

/** Whether a run may touch a live object, and if not, who owns it. */
export type Ownership =
  | { readonly kind: "ours" | "adopted" }
  | { readonly kind: "refused"; readonly owner: string | undefined };

/**
 * Decides by the annotation of the live object. Ids that this group had before count as ours.
 */
export function ownershipOf(
  live: KubernetesObject,
  ids: { readonly id: string; readonly formerId?: string | undefined },
  policy: InventoryPolicy,
): Ownership {
  const owner = live.metadata.annotations?.[owningInventoryAnnotation];
  if (owner === ids.id || (owner !== undefined && owner === ids.formerId)) return { kind: "ours" };
  if (owner === undefined || owner === "") {
    return policy === "strict" ? { kind: "refused", owner: undefined } : { kind: "adopted" };
  }
  return policy === "force-adopt" ? { kind: "adopted" } : { kind: "refused", owner };
}
