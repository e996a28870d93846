import { type Cluster, isApiError, isNotFound, type ObjectKind } from "../cluster/index.ts";
import { owningInventoryAnnotation } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type ObjectIdentity,
  type ObjectMeta,
  apiVersionOf,
} from "../objects/index.ts";

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

interface OwnedKind extends ObjectKind {
  readonly isNamespaced: boolean;
}

/**
 * Every object in the cluster whose annotation names an inventory: what a lost group owned, and what came
 * to be beside one. Kinds that may not be listed everywhere are listed in the namespaces given.
 */
export async function ownedObjects(
  cluster: Cluster,
  id: string,
  namespaces: Iterable<string>,
): Promise<OwnedObjects> {
  const resources = await cluster.resources();
  const kinds = new Map<string, OwnedKind>();
  for (const resource of resources.all) {
    const key = `${resource.group}/${resource.kind}`;
    if (
      resource.verbs.includes("list") &&
      resource.verbs.includes("delete") &&
      !kinds.has(key) &&
      !derived.has(key)
    ) {
      kinds.set(key, {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        isNamespaced: resource.namespaced,
      });
    }
  }
  const found = new Map<string, ObjectIdentity>();
  const look = async ({ apiVersion, kind }: ObjectKind, namespace?: string): Promise<boolean> => {
    const options = { metadataOnly: true, ...(namespace === undefined ? {} : { namespace }) };
    try {
      for await (const { items } of cluster.listPages({ apiVersion, kind }, options))
        for (const { metadata } of items) {
          if (!isOwned(metadata, id)) continue;
          const identity = identityOf({ apiVersion, kind, metadata });
          found.set(identityKey(identity), identity);
        }
    } catch (error) {
      if (isApiError(error, "Forbidden")) return false;
      if (!isApiError(error, "MethodNotAllowed") && !isNotFound(error)) throw error;
    }
    return true;
  };
  const places = new Set(namespaces);
  places.delete("");
  const unlisted: string[] = [];
  await Promise.all(
    [...kinds.values()].map(async (kind) => {
      if (await look(kind)) return;
      unlisted.push(kind.kind);
      if (kind.isNamespaced)
        await Promise.all([...places].map((namespace) => look(kind, namespace)));
    }),
  );
  return { found: [...found.values()], unlisted: unlisted.toSorted() };
}

function isOwned({ annotations, ownerReferences }: ObjectMeta, id: string): boolean {
  if (annotations?.[owningInventoryAnnotation] !== id) return false;
  // Controllers copy annotations to what they make; that is theirs.
  return ownerReferences?.some(({ controller }) => controller === true) !== true;
}
