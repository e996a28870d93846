import { adoptObject } from "../apply/index.ts";
import { type Cluster, isNotFound, isUnserved, referenceTo } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  type GroupReference,
  type HelmRelease,
  loadInventory,
  ownershipOf,
  type ResourceStatus,
  saveInventory,
} from "../inventory/index.ts";
import {
  defaultNamespaces,
  formatIdentity,
  helmHookOf,
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  readObjectsFromText,
  type SourcedObject,
} from "../objects/index.ts";
import { knownScopes } from "./desired/desired-state.ts";

/** What moves from a Helm release to an inventory. */
export interface ReleaseAdoption {
  readonly release: HelmRelease;
  /** Live objects that are to be members. */
  readonly adopted: readonly KubernetesObject[];
  /** Hooks that have run and are gone: they are remembered as done. */
  readonly ended: readonly ObjectIdentity[];
  /** Those of the adopted that the package does not hold: the next apply prunes them. */
  readonly leaving: readonly ObjectIdentity[];
  /** Objects of the release that are not in the cluster. */
  readonly missing: readonly ObjectIdentity[];
}

/**
 * Finds out what adopting a release means; writes nothing. Hooks and the definitions of `crds/` are adopted only where
 * the package holds them: Helm does not delete those with a release, and neither must a prune. Everything else becomes
 * a member: Helm would delete on the next upgrade what the chart no longer holds, and here a plan shows it first.
 */
export async function planAdoption(
  cluster: Cluster,
  release: HelmRelease,
  group: GroupReference,
  /** The objects of the package; undefined when they are not known. */
  desired: readonly SourcedObject[] | undefined,
): Promise<ReleaseAdoption> {
  const wanted =
    desired === undefined
      ? undefined
      : new Set((await placed(cluster, desired, release)).map(keyOf));
  const isWanted = (object: KubernetesObject): boolean => wanted?.has(keyOf(object)) ?? true;
  const managed = await objectsOf(cluster, release, release.manifests);
  const optional = await objectsOf(cluster, release, [...release.hooks, ...release.definitions]);
  const all = new Map([
    ...optional.filter(isWanted).map((object) => [keyOf(object), object] as const),
    ...managed.map((object) => [keyOf(object), object] as const),
  ]);
  const live = await Promise.all(
    [...all.values()].map(async (object) => ({ object, found: await find(cluster, object) })),
  );
  const adopted = live.flatMap(({ found }) => found ?? []);
  requireFree(adopted, group);
  const absent = live.filter(({ found }) => found === undefined).map(({ object }) => object);
  const isHook = (object: KubernetesObject): boolean => helmHookOf(object) !== undefined;
  return {
    release,
    adopted,
    ended: absent.filter(isHook).map(identityOf),
    leaving: adopted.filter((object) => !isWanted(object)).map(identityOf),
    missing: absent.filter((object) => !isHook(object)).map(identityOf),
  };
}

/**
 * Carries an adoption out, under the Lease of the inventory. The members are remembered first, what Helm
 * remembers of the release goes last: a run that is killed in between is done again from the start.
 */
export async function adoptRelease(
  cluster: Cluster,
  { adopted, ended, release }: ReleaseAdoption,
  { group, manager }: { readonly group: GroupReference; readonly manager: string },
): Promise<void> {
  const inventory = await loadInventory(cluster, group);
  const entries = [
    ...inventory.parts.flatMap((part) => part.entries),
    ...adopted.map(identityOf),
    ...ended,
  ];
  const unique = new Map(entries.map((entry) => [identityKey(entry), entry]));
  const done = ended.map((entry) => [identityKey(entry), { ...entry, ...finished }] as const);
  const statuses = new Map<string, ResourceStatus>([...done, ...inventory.statuses]);
  await saveInventory(cluster, inventory, [...unique.values()], statuses);
  for (const object of adopted) await adoptObject(cluster, object, { id: group.id, manager });
  for (const record of release.records)
    await cluster.delete(referenceTo(record), { uid: record.metadata.uid }).catch(unlessGone);
}

const finished = {
  status: "NotFound",
  strategy: "Apply",
  actuation: "Succeeded",
  reconcile: "Succeeded",
} as const;

function keyOf(object: KubernetesObject): string {
  return identityKey(identityOf(object));
}

async function objectsOf(
  cluster: Cluster,
  release: HelmRelease,
  texts: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const read = texts
    .filter((text) => text.trim() !== "")
    .map((text) => readObjectsFromText(`the release ${release.name}`, text));
  const diagnostics = read.flatMap((each) => each.diagnostics);
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
  return placed(
    cluster,
    read.flatMap(({ objects }) => objects),
    release,
  );
}

/** Objects in the namespaces that they have in the cluster. */
async function placed(
  cluster: Cluster,
  objects: readonly SourcedObject[],
  { namespace }: HelmRelease,
): Promise<readonly KubernetesObject[]> {
  const scopeOf = await knownScopes(cluster, { objects });
  return defaultNamespaces(objects, scopeOf, namespace).objects.map(({ object }) => object);
}

async function find(
  cluster: Cluster,
  object: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  return cluster.find(referenceTo(object)).catch((error: unknown) => {
    if (isUnserved(error)) return undefined;
    throw error;
  });
}

function requireFree(live: readonly KubernetesObject[], { id }: GroupReference): void {
  const taken = live.flatMap((object) => {
    const ownership = ownershipOf(object, { id }, "adopt");
    return ownership.kind === "refused" ? [{ object, owner: ownership.owner ?? "" }] : [];
  });
  if (taken.length === 0) return;
  throw new DiagnosticError(
    taken.map(({ object, owner }) => ({
      code: "live.not-adopted",
      severity: "error",
      summary: `${formatIdentity(identityOf(object))} of the release belongs to the inventory ${owner} already`,
      hint: "Remove it from the package of that inventory first, with an annotation that keeps it: cli-utils.sigs.k8s.io/on-remove: keep.",
    })),
  );
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
