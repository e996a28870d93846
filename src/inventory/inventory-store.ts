import { type Cluster, isNotFound } from "../cluster/index.ts";
import {
  identityKey,
  type KubernetesObject,
  type ObjectIdentity,
  stringifyJson,
} from "../objects/index.ts";
import {
  continuationLabel,
  fieldManager,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
} from "./group-names.ts";
import type { GroupReference } from "./group-reference.ts";
import type { Inventory, InventoryPart, ResourceStatus } from "./inventory.ts";

/** An etcd value holds 1.5 MiB; what is left over is for metadata. */
const largestPartBytes = 1_200_000;
/** What the status of an entry may add to its name, whatever it says. */
const statusBytes = 160;

interface GroupSpec {
  readonly resources?: readonly Partial<ObjectIdentity>[];
}

interface GroupStatus {
  readonly resourceStatuses?: readonly ResourceStatus[];
}

/** Reads an inventory with all its parts; an inventory that is not there is an empty one. */
export async function loadInventory(
  cluster: Cluster,
  reference: GroupReference,
): Promise<Inventory> {
  const { name, namespace } = reference;
  const first = await cluster.find({
    apiVersion: groupApiVersion,
    kind: groupKind,
    namespace,
    name,
  });
  if (first === undefined) return { reference, liveId: undefined, parts: [], statuses: new Map() };
  const continuations = await cluster.list(
    { apiVersion: groupApiVersion, kind: groupKind },
    { namespace, labelSelector: `${continuationLabel}=${name}` },
  );
  const objects = [
    first,
    ...[...continuations.items].sort(
      (left, right) => partNumber(left, name) - partNumber(right, name),
    ),
  ];
  const statuses = objects.flatMap(
    (object) => ((object["status"] ?? {}) as GroupStatus).resourceStatuses ?? [],
  );
  return {
    reference,
    liveId: first.metadata.labels?.[inventoryIdLabel] ?? "",
    parts: objects.map(partOf),
    statuses: new Map(statuses.map((status) => [identityKey(status), status])),
  };
}

/**
 * Writes what is owned, and how it is. An entry stays in the part that it is in, so that at no moment
 * it stands in none; new ones go where there is room, and parts that have become empty are removed.
 * Returns the inventory as it now is.
 */
export async function saveInventory(
  cluster: Cluster,
  inventory: Inventory,
  entries: readonly ObjectIdentity[],
  statuses: ReadonlyMap<string, ResourceStatus>,
): Promise<Inventory> {
  const wanted = assignParts(inventory, entries);
  const parts: InventoryPart[] = [];
  for (const [index, part] of wanted.entries()) {
    const before = inventory.parts[index];
    if (index > 0 && part.length === 0) {
      if (before !== undefined) await deletePart(cluster, inventory.reference, before.name);
      continue;
    }
    parts.push(await savePart(cluster, inventory, index, part, statuses));
  }
  return { reference: inventory.reference, liveId: inventory.reference.id, parts, statuses };
}

/** Removes the inventory itself, its first part last: until then it can be found. */
export async function deleteInventory(cluster: Cluster, inventory: Inventory): Promise<void> {
  for (const part of inventory.parts.toReversed())
    await deletePart(cluster, inventory.reference, part.name);
}

async function savePart(
  cluster: Cluster,
  { reference, parts, liveId, statuses: before }: Inventory,
  index: number,
  entries: readonly ObjectIdentity[],
  statuses: ReadonlyMap<string, ResourceStatus>,
): Promise<InventoryPart> {
  const name = index === 0 ? reference.name : `${reference.name}-${index}`;
  const part = parts[index];
  const isSame =
    part !== undefined &&
    (index > 0 || liveId === reference.id) &&
    sameEntries(part.entries, entries);
  const uid = isSame ? part.uid : await writeSpec(cluster, reference, name, index, entries);
  const own = entries.flatMap((entry) => statuses.get(identityKey(entry)) ?? []);
  const isKnown =
    isSame && own.every((status) => sameStatus(before.get(identityKey(status)), status));
  if (!isKnown) await writeStatus(cluster, reference, name, own);
  return { name, uid, entries };
}

async function writeSpec(
  cluster: Cluster,
  reference: GroupReference,
  name: string,
  index: number,
  entries: readonly ObjectIdentity[],
): Promise<string> {
  const labels = {
    [inventoryIdLabel]: reference.id,
    ...(index === 0 ? {} : { [continuationLabel]: reference.name }),
  };
  const resources = entries.map(({ group, kind, namespace, name: entryName }) => ({
    group,
    kind,
    namespace,
    name: entryName,
  }));
  const { object } = await cluster.apply(
    {
      apiVersion: groupApiVersion,
      kind: groupKind,
      metadata: { name, namespace: reference.namespace, labels },
      spec: { resources },
    },
    { fieldManager, force: true },
  );
  return object.metadata.uid ?? "";
}

async function writeStatus(
  cluster: Cluster,
  { namespace }: GroupReference,
  name: string,
  statuses: readonly ResourceStatus[],
): Promise<void> {
  const isDone = statuses.every(
    ({ actuation, reconcile }) => actuation !== "Pending" && reconcile !== "Pending",
  );
  const hasFailed = statuses.some(
    ({ actuation, reconcile }) =>
      actuation === "Failed" || reconcile === "Failed" || reconcile === "Timeout",
  );
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const condition = (type: string, value: boolean, reason: string): object => ({
    type,
    status: value ? "True" : "False",
    reason,
    lastTransitionTime: now,
  });
  await cluster.apply(
    {
      apiVersion: groupApiVersion,
      kind: groupKind,
      metadata: { name, namespace },
      status: {
        conditions: [
          condition("Reconciling", !isDone, isDone ? "Finished" : "Running"),
          condition("Stalled", isDone && hasFailed, hasFailed ? "Failures" : "NoFailures"),
        ],
        resourceStatuses: statuses,
      },
    },
    { fieldManager, force: true, subresource: "status" },
  );
}

async function deletePart(
  cluster: Cluster,
  { namespace }: GroupReference,
  name: string,
): Promise<void> {
  try {
    await cluster.delete({ apiVersion: groupApiVersion, kind: groupKind, namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Entries by part: those that are there stay, new ones fill up by encoded bytes. */
export function assignParts(
  inventory: Inventory,
  entries: readonly ObjectIdentity[],
): readonly (readonly ObjectIdentity[])[] {
  const wanted = new Map(entries.map((entry) => [identityKey(entry), entry]));
  const parts: ObjectIdentity[][] = inventory.parts.map((part) =>
    part.entries.filter((entry) => wanted.has(identityKey(entry))),
  );
  for (const part of parts) for (const entry of part) wanted.delete(identityKey(entry));
  if (parts.length === 0) parts.push([]);
  const sizes = parts.map((part) => part.reduce((size, entry) => size + bytesOf(entry), 0));
  let index = 0;
  for (const entry of wanted.values()) {
    const bytes = bytesOf(entry);
    while ((sizes[index] ?? 0) + bytes > largestPartBytes && index < parts.length) index++;
    if (index === parts.length) {
      parts.push([]);
      sizes.push(0);
    }
    parts[index]?.push(entry);
    sizes[index] = (sizes[index] ?? 0) + bytes;
  }
  return parts;
}

/** The name of an entry stands in the spec and again in the status. */
function bytesOf(entry: ObjectIdentity): number {
  return stringifyJson(entry).length * 2 + statusBytes;
}

function partOf(object: KubernetesObject): InventoryPart {
  const { resources = [] } = (object["spec"] ?? {}) as GroupSpec;
  return {
    name: object.metadata.name ?? "",
    uid: object.metadata.uid ?? "",
    entries: resources.map(({ group = "", kind = "", namespace = "", name = "" }) => ({
      group,
      kind,
      namespace,
      name,
    })),
  };
}

function partNumber({ metadata }: KubernetesObject, name: string): number {
  return Number((metadata.name ?? "").slice(name.length + 1));
}

function sameEntries(left: readonly ObjectIdentity[], right: readonly ObjectIdentity[]): boolean {
  return (
    left.length === right.length &&
    left.every((entry, index) => identityKey(entry) === identityKey(right[index] ?? entry))
  );
}

function sameStatus(left: ResourceStatus | undefined, right: ResourceStatus): boolean {
  return (
    left !== undefined &&
    left.status === right.status &&
    left.strategy === right.strategy &&
    left.actuation === right.actuation &&
    left.reconcile === right.reconcile
  );
}
