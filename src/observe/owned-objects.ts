import { apiVersionOf, type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import { owningInventoryAnnotation } from "../inventory/index.ts";
import { identityKey, identityOf, type ObjectIdentity } from "../objects/index.ts";

/** Kinds that are made by others from what we apply, and kinds that only report. */
const derived = new Set([
  "/Event",
  "events.k8s.io/Event",
  "/Endpoints",
  "discovery.k8s.io/EndpointSlice",
]);

export interface OwnedObjects {
  readonly found: readonly ObjectIdentity[];
  /** Kinds that may not be listed: whether objects of them name the inventory is not known. */
  readonly unlisted: readonly string[];
}

/** Every object in the cluster whose annotation names an inventory: what a lost group owned. */
export async function ownedObjects(cluster: Cluster, id: string): Promise<OwnedObjects> {
  const resources = await cluster.resources();
  const kinds = new Map<string, { readonly apiVersion: string; readonly kind: string }>();
  for (const resource of resources.all) {
    const key = `${resource.group}/${resource.kind}`;
    if (
      resource.verbs.includes("list") &&
      resource.verbs.includes("delete") &&
      !kinds.has(key) &&
      !derived.has(key)
    ) {
      kinds.set(key, { apiVersion: apiVersionOf(resource), kind: resource.kind });
    }
  }
  const found = new Map<string, ObjectIdentity>();
  const unlisted: string[] = [];
  await Promise.all(
    [...kinds.values()].map(async (kind) => {
      try {
        for await (const { items } of cluster.listPages(kind, { metadataOnly: true })) {
          for (const { metadata } of items) {
            if (metadata.annotations?.[owningInventoryAnnotation] !== id) continue;
            // Controllers copy annotations to what they make; that is theirs.
            if (metadata.ownerReferences?.some(({ controller }) => controller === true) === true)
              continue;
            const identity = identityOf({ ...kind, metadata });
            found.set(identityKey(identity), identity);
          }
        }
      } catch (error) {
        if (isApiError(error, "Forbidden")) unlisted.push(kind.kind);
        else if (!isApiError(error, "MethodNotAllowed") && !isNotFound(error)) throw error;
      }
    }),
  );
  return { found: [...found.values()], unlisted: unlisted.toSorted() };
}
