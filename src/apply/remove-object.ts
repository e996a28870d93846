import {
  type Cluster,
  type DeleteOptions,
  isApiError,
  provesAbsence,
  referenceTo,
  type ObjectWriteOptions,
} from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { KubernetesObject, OwnerReference } from "../objects/index.ts";

/** By what an object says whose it is. */
export interface OwnerMarks {
  readonly annotations?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Tells the references of the owner from those of others. */
  readonly isOwnReference?: ((reference: OwnerReference) => boolean) | undefined;
}

/** What came of removing an object: it was gone before, it is gone now, it is on its way out, or it stays. */
export type Removed =
  | { readonly kind: "gone" }
  | { readonly kind: "deleted" }
  | { readonly kind: "deleting"; readonly object: KubernetesObject }
  | { readonly kind: "released"; readonly object: KubernetesObject };

/** Deletes the very object that was looked at, never another one of its name. */
export function deleteLive(
  cluster: Cluster,
  live: KubernetesObject,
  options: Omit<DeleteOptions, "resourceVersion" | "uid">,
): Promise<Removed> {
  return unlessGone(cluster, live, async () => {
    const { uid } = live.metadata;
    const object = await cluster.delete(referenceTo(live), { ...options, uid });
    return object === undefined ? { kind: "deleted" } : { kind: "deleting", object };
  });
}

/** Takes the marks of its owner from an object that stays: it is nobody's from now on. */
export function releaseObject(
  cluster: Cluster,
  live: KubernetesObject,
  marks: OwnerMarks,
  options: Pick<ObjectWriteOptions, "onRetry" | "signal"> & { readonly fieldManager: string },
): Promise<Removed> {
  const patch: JsonObject = { metadata: releasedMetadata(live, marks) };
  return unlessGone(cluster, live, async () => ({
    kind: "released",
    object: await cluster.patch(referenceTo(live), "merge", patch, options),
  }));
}

function releasedMetadata({ metadata }: KubernetesObject, marks: OwnerMarks): JsonObject {
  const { annotations = [], labels = [], isOwnReference } = marks;
  const cleared = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, null]));
  return {
    ...(annotations.length === 0 ? {} : { annotations: cleared(annotations) }),
    ...(labels.length === 0 ? {} : { labels: cleared(labels) }),
    ...(isOwnReference === undefined
      ? {}
      : {
          // The list is written as a whole: what others added meanwhile must not get lost.
          resourceVersion: metadata.resourceVersion ?? "",
          ownerReferences: (metadata.ownerReferences ?? []).filter(
            (reference) => !isOwnReference(reference),
          ) as unknown as JsonObject[],
        }),
  };
}

async function unlessGone(
  cluster: Cluster,
  live: KubernetesObject,
  step: () => Promise<Removed>,
): Promise<Removed> {
  try {
    return await step();
  } catch (error) {
    if (
      provesAbsence(error) ||
      (isApiError(error, "Conflict") && (await isReplaced(cluster, live)))
    )
      return { kind: "gone" };
    throw error;
  }
}

/** Whether another object of the same name is there now: then the one that was looked at is gone. */
async function isReplaced(cluster: Cluster, live: KubernetesObject): Promise<boolean> {
  try {
    return (await cluster.find(referenceTo(live)))?.metadata.uid !== live.metadata.uid;
  } catch (error) {
    // Nobody knows: then it counts as still there.
    if (error instanceof DiagnosticError) return false;
    throw error;
  }
}
