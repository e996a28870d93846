import type { Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { Inventory, InventoryPolicy } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  knownSource,
  type ObjectIdentity,
  readMutations,
  type SourcedObject,
} from "../objects/index.ts";
import {
  type ClusterReads,
  type ClusterSchemas,
  clusterSchemas,
  type Observation,
  observeLive,
} from "../observe/index.ts";
import { readDependsOn } from "../plan/index.ts";
import type { PlanGroupOptions } from "./group-options.ts";

/** Everything that is read for one plan is read through `reads`, and once. */
export type PrepareOptions = PlanGroupOptions & { readonly reads: ClusterReads };

/** What a plan knows of the cluster. */
export interface ObservedGroup extends Observation, ClusterSchemas {
  readonly inventory: Inventory;
  /** Identity keys of objects outside this run that it depends on, and that exist. */
  readonly external: ReadonlySet<string>;
}

export async function observeGroup(
  { reads, policy, signal, desired, forgetKinds }: PrepareOptions,
  loading: Promise<Inventory>,
): Promise<ObservedGroup> {
  const { objects } = desired;
  const [inventory, schemas] = await Promise.all([
    loading,
    clusterSchemas(
      reads,
      objects.map(({ object }) => object),
    ),
  ]);
  requireSameId(inventory, policy);
  const owned = inventory.parts.flatMap(({ entries }) => entries);
  const outside = await outsideDependencies(reads, objects, owned);
  const wanted = objects.map(({ object }) => ({
    ...identityOf(object),
    apiVersion: object.apiVersion,
  }));
  const observed = await observeLive(reads, [...wanted, ...owned, ...outside], {
    signal,
    owned,
    forgetKinds,
  });
  const external = new Set(outside.map(identityKey).filter((key) => observed.live.has(key)));
  return { inventory, external, ...observed, ...schemas };
}

/** What is depended on, or taken from, without being part of the run. */
async function outsideDependencies(
  cluster: Cluster,
  desired: readonly SourcedObject[],
  owned: readonly ObjectIdentity[],
): Promise<readonly ObjectIdentity[]> {
  const inside = new Set(
    [...desired.map(({ object }) => identityOf(object)), ...owned].map(identityKey),
  );
  const isInside = (key: string): boolean => inside.has(key);
  const sources = desired
    .flatMap(({ object }) => readMutations(object).value)
    .map(({ source }) => knownSource(source, isInside));
  const named = [
    ...desired.flatMap(({ object }) => readDependsOn(object).value),
    ...sources,
  ].filter((entry) => !isInside(identityKey(entry)));
  if (named.length === 0) return [];
  const resources = await cluster.resources();
  const isWithoutNamespaces = ({ group, kind }: ObjectIdentity): boolean =>
    resources.preferred(group, kind)?.namespaced === false;
  return uniqueEntries(
    named.map((entry) => (isWithoutNamespaces(entry) ? { ...entry, namespace: "" } : entry)),
  );
}

/** The cluster's group may carry another id than the input: then this may be somebody else's. */
export function requireSameId({ reference, liveId }: Inventory, policy: InventoryPolicy): void {
  if (liveId === undefined || liveId === reference.id || policy !== "strict") return;
  fail({
    code: "live.id-mismatch",
    summary: `the inventory ${reference.namespace}/${reference.name} in the cluster has the id ${JSON.stringify(liveId)}, ${reference.source} has ${JSON.stringify(reference.id)}`,
    hint: "use the id of the cluster, or override it once with --inventory-policy=adopt",
  });
}

export function uniqueEntries(entries: readonly ObjectIdentity[]): readonly ObjectIdentity[] {
  return [...new Map(entries.map((entry) => [identityKey(entry), entry])).values()];
}
