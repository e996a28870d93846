import { createHash } from "node:crypto";
import { type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import type { JsonObject } from "../json/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import {
  continuationLabel,
  continuedByAnnotation,
  fieldManager,
  formerIdAnnotation,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
} from "./group-names.ts";
import { entryInGroup, partOfGroup } from "./group-object.ts";
import type { GroupReference } from "./group-reference.ts";
import { historyAnnotation } from "./history.ts";
import type { InventoryPart } from "./inventory.ts";

const longestLabel = 63;
/** Whoever writes without a Lease, as other tools do, does not write as often as this in a row. */
const mostAttempts = 5;

/** A name may be longer than a label: then a digest makes it unique. */
export function continuationValue(name: string): string {
  if (name.length <= longestLabel) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `${name.slice(0, longestLabel - digest.length - 1).replace(/[-.]+$/, "")}-${digest}`;
}

/** What of a part stands in its spec and metadata. */
type PartOfSpec = Omit<
  InventoryPart,
  "uid" | "resourceVersion" | "generation" | "observedGeneration"
>;

/**
 * Writes what one ResourceGroup owns, on top of the version that is known. Entries that somebody else has
 * added since stay: they would belong to nobody.
 */
export async function writeSpec(
  cluster: Cluster,
  reference: GroupReference,
  wanted: PartOfSpec,
  before: InventoryPart | undefined,
): Promise<InventoryPart> {
  let version = before?.resourceVersion;
  let { entries } = wanted;
  for (let attempt = 1; ; attempt++) {
    try {
      const group = groupObject(reference, { ...wanted, entries }, version);
      const { object } = await cluster.apply(group, { fieldManager, force: true });
      const { uid = "", resourceVersion = "", generation } = object.metadata;
      const observedGeneration = before?.observedGeneration;
      return { ...wanted, entries, uid, resourceVersion, generation, observedGeneration };
    } catch (error) {
      if (!isApiError(error, "Conflict") || attempt === mostAttempts) throw error;
      const now = await findPart(cluster, reference, wanted.name);
      version = now?.resourceVersion;
      entries = [...entries, ...added(now, before, entries)];
    }
  }
}

/** Deletes a ResourceGroup, unless somebody else has added entries to it: then these are left. */
export async function dropPart(
  cluster: Cluster,
  reference: GroupReference,
  part: InventoryPart,
): Promise<InventoryPart | undefined> {
  let { resourceVersion } = part;
  for (let attempt = 1; ; attempt++) {
    try {
      await cluster.delete(
        { ...kind, namespace: reference.namespace, name: part.name },
        resourceVersion === "" ? {} : { resourceVersion },
      );
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isApiError(error, "Conflict") || attempt === mostAttempts) throw error;
      const now = await findPart(cluster, reference, part.name);
      const entries = added(now, part, []);
      if (entries.length > 0) return writeSpec(cluster, reference, { ...part, entries }, now);
      resourceVersion = now?.resourceVersion ?? "";
    }
  }
}

/**
 * Returns what the cluster has now. What a definition that is not ours does not know is dropped from a
 * merge patch, where a server-side apply would fail.
 */
export async function writeGroupStatus(
  cluster: Cluster,
  { namespace }: GroupReference,
  name: string,
  status: JsonObject,
): Promise<KubernetesObject> {
  const group = { ...kind, namespace, name };
  return cluster.patch(group, "merge", { status }, { fieldManager, subresource: "status" });
}

const kind = { apiVersion: groupApiVersion, kind: groupKind };

function groupObject(
  reference: GroupReference,
  part: PartOfSpec,
  resourceVersion: string | undefined,
): KubernetesObject {
  const { name, entries, formerId, historyAnnotation: history, continuedBy, metadata: own } = part;
  const labels = {
    ...own?.labels,
    [inventoryIdLabel]: reference.id,
    ...(name === reference.name ? {} : { [continuationLabel]: continuationValue(reference.name) }),
  };
  const annotations = {
    ...own?.annotations,
    ...(formerId === undefined ? {} : { [formerIdAnnotation]: formerId }),
    ...(history === undefined ? {} : { [historyAnnotation]: history }),
    ...(continuedBy === undefined ? {} : { [continuedByAnnotation]: continuedBy }),
  };
  const metadata = {
    name,
    namespace: reference.namespace,
    labels,
    ...(resourceVersion === undefined || resourceVersion === "" ? {} : { resourceVersion }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
  return { ...kind, metadata, spec: { resources: entries.map(entryInGroup) } };
}

async function findPart(
  cluster: Cluster,
  { namespace }: GroupReference,
  name: string,
): Promise<InventoryPart | undefined> {
  const found = await cluster.find({ ...kind, namespace, name });
  return found === undefined ? undefined : partOfGroup(found);
}

/** What a ResourceGroup has now that was not in it before, and is not in it anyway. */
function added(
  now: InventoryPart | undefined,
  before: InventoryPart | undefined,
  wanted: readonly ObjectIdentity[],
): readonly ObjectIdentity[] {
  const known = new Set([...(before?.entries ?? []), ...wanted].map(identityKey));
  return (now?.entries ?? []).filter((entry) => !known.has(identityKey(entry)));
}
