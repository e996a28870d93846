import { type Cluster, isApiError, isUnserved } from "../cluster/index.ts";
import { stringifyJson } from "../json/index.ts";
import { identityKey, type KubernetesObject, type ObjectIdentity } from "../objects/index.ts";
import {
  continuationLabel,
  continuedByAnnotation,
  groupApiVersion,
  groupKind,
  inventoryIdLabel,
  formerIdAnnotation,
} from "./group-names.ts";
import {
  historyInStatus,
  historyOfGroup,
  partOfGroup,
  statusesOfGroup,
  statusOfGroup,
} from "./group-object.ts";
import { isSameMetadata } from "./group-metadata.ts";
import type { GroupReference } from "./group-reference.ts";
import { continuationValue, dropPart, writeSpec, writeGroupStatus } from "./write-part.ts";
import { servesInventories } from "./serves-inventories.ts";
import {
  emptyInventory,
  type Inventory,
  type InventoryPart,
  type ResourceStatus,
} from "./inventory.ts";

/** An etcd value holds 1.5 MiB; what is left over is for metadata. */
const defaultPartBytes = 1_200_000;
/** What the status of an entry may add to its name, whatever it says. */
const statusBytes = 160;

/** Reads an inventory with all its parts; an inventory that is not there is an empty one. */
export async function loadInventory(
  cluster: Cluster,
  reference: GroupReference,
): Promise<Inventory> {
  const { name, namespace } = reference;
  const looking = findContinuations(cluster, name, namespace);
  // Of a kind that is new nothing can be listed for a second; without a first part there are no others.
  looking.catch(() => undefined);
  const first = await cluster.find({
    apiVersion: groupApiVersion,
    kind: groupKind,
    namespace,
    name,
  });
  if (first === undefined) return emptyInventory(reference);
  const listed = (await looking) ?? (await probed(cluster, first));
  const continuations = [...listed, ...(await overlooked(cluster, first, listed))];
  const objects = [
    first,
    ...continuations.sort((left, right) => partNumber(left, name) - partNumber(right, name)),
  ];
  const statuses = objects.flatMap(statusesOfGroup);
  const liveId = first.metadata.labels?.[inventoryIdLabel] ?? "";
  return {
    reference,
    liveId,
    formerId: liveId === reference.id ? first.metadata.annotations?.[formerIdAnnotation] : liveId,
    history: historyOfGroup(first),
    parts: objects.map(partOfGroup),
    version: objects.map(({ metadata }) => metadata.resourceVersion ?? "").join(" "),
    statuses: new Map(statuses.map((status) => [identityKey(status), status])),
  };
}

/** A list may lack parts that are there: what the first part names is asked for by name before it counts as gone. */
async function overlooked(
  cluster: Cluster,
  { metadata: { annotations, namespace = "" } }: KubernetesObject,
  listed: readonly KubernetesObject[],
): Promise<readonly KubernetesObject[]> {
  const known = new Set(listed.map(({ metadata }) => metadata.name));
  const named = (annotations?.[continuedByAnnotation] ?? "").split(",");
  const missing = named.filter((name) => name !== "" && !known.has(name));
  const found = await Promise.all(
    missing.map((name) =>
      cluster.find({ apiVersion: groupApiVersion, kind: groupKind, namespace, name }),
    ),
  );
  return found.filter((part) => part !== undefined);
}

/** The groups that continue another one; undefined where they may not be listed. */
async function findContinuations(
  cluster: Cluster,
  name: string,
  namespace: string,
): Promise<readonly KubernetesObject[] | undefined> {
  const kind = { apiVersion: groupApiVersion, kind: groupKind };
  const labelSelector = `${continuationLabel}=${continuationValue(name)}`;
  try {
    return (await cluster.list(kind, { namespace, labelSelector })).items;
  } catch (error) {
    if (isApiError(error, "Forbidden")) return undefined;
    throw error;
  }
}

/** Groups are numbered one after the other: after so many numbers without one there is none. */
const probedAtOnce = 20;

/** The groups that continue one that does not name them, as older versions of Keelson left it, number by number. */
async function probed(
  cluster: Cluster,
  { metadata: { name = "", namespace = "", annotations } }: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  if (annotations?.[continuedByAnnotation] !== undefined) return [];
  const value = continuationValue(name);
  const parts: KubernetesObject[] = [];
  for (let number = 1; ; number += probedAtOnce) {
    const found = await Promise.all(
      Array.from({ length: probedAtOnce }, (_, index) =>
        cluster.find({
          apiVersion: groupApiVersion,
          kind: groupKind,
          namespace,
          name: `${name}-${number + index}`,
        }),
      ),
    );
    const own = found.filter((part) => part?.metadata.labels?.[continuationLabel] === value);
    if (own.length === 0) return parts;
    parts.push(...own.filter((part) => part !== undefined));
  }
}

/** The inventory; an empty one as long as the cluster does not even know the kind. */
export async function knownInventory(
  cluster: Cluster,
  reference: GroupReference,
): Promise<Inventory> {
  if ((await servesInventories(cluster)) !== true) return emptyInventory(reference);
  try {
    return await loadInventory(cluster, reference);
  } catch (error) {
    // What is remembered may be older than the end of the definition.
    if (isUnserved(error) && (await servesInventories(cluster)) === false)
      return emptyInventory(reference);
    throw error;
  }
}

export interface SaveOptions {
  /** How large a part may become; tests make several parts of a few entries. */
  readonly largestPartBytes?: number | undefined;
}

/**
 * Writes what is owned, and how it is unless that is to stay as it was. An entry stays in the part that it is in, so that at no moment
 * it stands in none; new ones go where there is room, and parts that have become empty are removed.
 * Returns the inventory as it now is.
 */
export async function saveInventory(
  cluster: Cluster,
  inventory: Inventory,
  entries: readonly ObjectIdentity[],
  statuses: ReadonlyMap<string, ResourceStatus> | undefined,
  options: SaveOptions = {},
): Promise<Inventory> {
  const { reference, formerId, history } = inventory;
  const assigned = assignParts(inventory, entries, options);
  const names = await namesOf(cluster, inventory, assigned.length);
  // Written first: whoever reads knows of every part before it is there, and of none that is going to be dropped.
  const following = names.filter((_name, index) => index > 0 && (assigned[index] ?? []).length > 0);
  const parts: InventoryPart[] = [];
  for (const [index, part] of assigned.entries()) {
    const before = inventory.parts[index];
    if (index > 0 && part.length === 0) {
      const left = before === undefined ? undefined : await dropPart(cluster, reference, before);
      if (left !== undefined) parts.push(left);
      continue;
    }
    const name = names[index] ?? reference.name;
    const continuedBy = index > 0 || following.length === 0 ? undefined : following.join(",");
    const next = { name, before, entries: part, continuedBy };
    parts.push(await savePart(cluster, inventory, next, statuses));
  }
  return {
    reference,
    liveId: reference.id,
    formerId,
    history,
    parts,
    statuses: statuses ?? inventory.statuses,
    version: "",
  };
}

/** The names of all parts: those that they have, and free ones for those that are new. */
async function namesOf(
  cluster: Cluster,
  { parts, reference }: Inventory,
  count: number,
): Promise<readonly string[]> {
  const names = parts.map(({ name }) => name);
  while (names.length < count)
    names.push(names.length === 0 ? reference.name : await freeName(cluster, reference, names));
  return names;
}

const mostNames = 10_000;

/** The next name for a part that no other inventory goes by. */
async function freeName(
  cluster: Cluster,
  { name, namespace }: GroupReference,
  taken: readonly string[],
): Promise<string> {
  for (let number = 1; number < mostNames; number++) {
    const candidate = `${name}-${number}`;
    if (taken.includes(candidate)) continue;
    const reference = { apiVersion: groupApiVersion, kind: groupKind, namespace, name: candidate };
    if ((await cluster.find(reference)) === undefined) return candidate;
  }
  throw new Error(`no name is left for a continuation of ${name}`);
}

/** Removes the inventory itself, its first part last: until then it can be found. */
export async function deleteInventory(cluster: Cluster, inventory: Inventory): Promise<void> {
  for (const part of inventory.parts.toReversed())
    await dropPart(cluster, inventory.reference, part);
}

async function savePart(
  cluster: Cluster,
  { reference, liveId, formerId, statuses: known, ...inventory }: Inventory,
  part: {
    readonly name: string;
    readonly before: InventoryPart | undefined;
    readonly entries: readonly ObjectIdentity[];
    readonly continuedBy: string | undefined;
  },
  statuses: ReadonlyMap<string, ResourceStatus> | undefined,
): Promise<InventoryPart> {
  const { name, before, entries, continuedBy } = part;
  const history = name === reference.name ? inventory.history : undefined;
  // Continuations are found through the first part: it alone carries what users look for.
  const metadata = name === reference.name ? (reference.metadata ?? before?.metadata) : undefined;
  const wanted = {
    name,
    entries,
    metadata,
    formerId,
    historyAnnotation: before?.historyAnnotation,
    continuedBy,
  };
  const isSame =
    before !== undefined &&
    liveId === reference.id &&
    before.formerId === formerId &&
    before.continuedBy === continuedBy &&
    isSameMetadata(metadata, before.metadata) &&
    sameEntries(before.entries, entries);
  const saved = isSame
    ? { ...before, ...wanted }
    : await writeSpec(cluster, reference, wanted, before);
  const own = entries.flatMap((entry) => statuses?.get(identityKey(entry)) ?? []);
  const isKnown =
    statuses === undefined ||
    (isSame &&
      before.history === history &&
      before.observedGeneration === before.generation &&
      own.every((status) => sameStatus(known.get(identityKey(status)), status)));
  if (isKnown) return { ...saved, history: before?.history };
  const { generation } = saved;
  const status = statusOfGroup(own, { history, generation });
  const written = await writeGroupStatus(cluster, reference, name, status);
  const { resourceVersion = "" } = written.metadata;
  const told = { ...saved, resourceVersion, history, observedGeneration: generation };
  const isKept =
    history === undefined ||
    historyInStatus(written) !== undefined ||
    history === saved.historyAnnotation;
  if (isKept) return told;
  // Somebody else's definition of the kind knows no history: then an annotation holds it.
  const annotated = { ...wanted, entries: saved.entries, historyAnnotation: history };
  return { ...(await writeSpec(cluster, reference, annotated, told)), history };
}

/** Entries by part: those that are there stay, new ones fill up by encoded bytes. */
export function assignParts(
  inventory: Pick<Inventory, "parts">,
  entries: readonly ObjectIdentity[],
  { largestPartBytes = defaultPartBytes }: SaveOptions = {},
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

function partNumber({ metadata }: KubernetesObject, name: string): number {
  return Number((metadata.name ?? "").slice(name.length + 1));
}

function sameEntries(left: readonly ObjectIdentity[], right: readonly ObjectIdentity[]): boolean {
  return (
    left.length === right.length && left.every((entry, index) => sameIdentity(entry, right[index]))
  );
}

function sameIdentity(left: ObjectIdentity, right: ObjectIdentity | undefined): boolean {
  return (
    left.name === right?.name &&
    left.namespace === right.namespace &&
    left.kind === right.kind &&
    left.group === right.group
  );
}

/** Whether the cluster has the labels and annotations that the input asks for. */
export function hasChosenMetadata({ reference, parts: [first] }: Inventory): boolean {
  return isSameMetadata(reference.metadata, first?.metadata);
}

/** Whether an inventory already says all this of what it owns. */
export function hasStatuses(
  { statuses: known, parts }: Inventory,
  statuses: ReadonlyMap<string, ResourceStatus>,
): boolean {
  const isObserved = parts.every((part) => part.observedGeneration === part.generation);
  return isObserved && [...statuses].every(([key, status]) => sameStatus(known.get(key), status));
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
