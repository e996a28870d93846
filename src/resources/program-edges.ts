import type { Edge } from "../graph/index.ts";
import { collectReferences } from "./collect-references.ts";
import type { KnownReads } from "./known-reads.ts";
import { allocatorOf, recordOf } from "./resource-record.ts";
import type { Reference, ResourceRecord } from "./resource-record.ts";

/**
 * What each resource waits for: what its properties refer to, what its options name, and what it
 * allocated. An allocation gives way where the allocated resource needs its allocator.
 */
export function programEdges(
  records: readonly ResourceRecord[],
  reads: KnownReads,
): readonly Edge[] {
  const needed: Edge[] = [];
  const allocations: Edge[] = [];
  const held: Edge[] = [];
  const byName = new Map(records.map((record) => [record.name, record]));
  for (const record of records) {
    const from = record.name;
    for (const reference of record.references) {
      needed.push({ from, to: reference.to, reason: reasonOf(reference) });
    }
    for (const to of explicitDependencies(record)) needed.push({ from, to, reason: "dependsOn" });
    for (const reference of collectReferences(record.fields, from, reads)) {
      const edge = { from, to: reference.to, reason: reasonOf(reference) };
      // What a resource keeps of its own allocations says no more than that it allocated them.
      (isAllocatedBy(byName.get(reference.to), record) ? held : needed).push(edge);
    }
    const allocator = allocatorOf(record.frame);
    if (allocator !== undefined) {
      allocations.push({ from: allocator.name, to: from, reason: "allocates it" });
    }
  }
  return [...needed, ...withoutReturns(needed, [...allocations, ...held])];
}

function reasonOf({ at, path }: Reference): string {
  return path === "" ? `${at} refers to it` : `${at} uses its ${path}`;
}

function explicitDependencies({ options }: ResourceRecord): readonly string[] {
  const given: unknown = options.dependsOn;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.flatMap((each) => recordOf(each)?.name ?? []);
}

function isAllocatedBy(record: ResourceRecord | undefined, allocator: ResourceRecord): boolean {
  let at = record === undefined ? undefined : allocatorOf(record.frame);
  while (at !== undefined && at !== allocator) at = allocatorOf(at.frame);
  return at === allocator;
}

/** Leaves out the allocation edges whose end leads back to their start. */
function withoutReturns(needed: readonly Edge[], allocations: readonly Edge[]): readonly Edge[] {
  const dependents = new Map<string, string[]>();
  const add = ({ from, to }: Edge): void => {
    const known = dependents.get(to);
    if (known === undefined) dependents.set(to, [from]);
    else known.push(from);
  };
  for (const edge of needed) add(edge);
  const kept: Edge[] = [];
  for (const [allocator, edges] of groupBy(allocations, ({ from }) => from)) {
    const returning = reachable(allocator, dependents);
    const fit = edges.filter(({ to }) => !returning.has(to));
    kept.push(...fit);
    for (const edge of fit) add(edge);
  }
  return kept;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Everything that waits for a resource, directly or through others. */
function reachable(start: string, dependents: ReadonlyMap<string, string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of dependents.get(at) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
