import { type Cluster, referenceTo } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import { owningInventoryAnnotation } from "../inventory/index.ts";
import { helmOwner } from "../merge/index.ts";
import { formatIdentity, identityOf, type KubernetesObject } from "../objects/index.ts";
import { takeOverFields } from "./take-over-fields.ts";

const mostTries = 10;

/**
 * Makes an object of a Helm release one of an inventory: it is marked, and the fields that Helm owns become ours, so
 * that a later apply neither conflicts with Helm nor leaves fields behind. Nothing else of it changes.
 */
export async function adoptObject(
  cluster: Cluster,
  live: KubernetesObject,
  { id, manager }: { readonly id: string; readonly manager: string },
): Promise<void> {
  const reference = referenceTo(live);
  const { uid = "", annotations } = live.metadata;
  const isMarked = annotations?.[owningInventoryAnnotation] === id;
  const patch = { metadata: { uid, annotations: { [owningInventoryAnnotation]: id } } };
  let current = isMarked
    ? live
    : await cluster.patch(reference, "merge", patch, { fieldManager: manager });
  // Controllers write its status meanwhile.
  for (let tried = 1; tried <= mostTries; tried++) {
    if (await takeOverFields(cluster, current, manager, helmOwner)) return;
    current = await cluster.get(reference);
  }
  fail({
    code: "live.not-adopted",
    summary: `${formatIdentity(identityOf(live))} changes all the time: its fields cannot be taken over from Helm`,
    hint: "Run the same command again; what is done already stays done.",
  });
}
