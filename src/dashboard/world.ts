import { assemble, runsPods } from "../assembly/index.ts";
import type { SourceRange } from "../diagnostics/index.ts";
import { groupOfObject, type HistoryEntry, owningInventoryAnnotation } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  scopeLookup,
} from "../objects/index.ts";
import {
  type Readiness,
  type ReadinessContext,
  readinessOf,
  ruleBook,
} from "../readiness/index.ts";
import { type ChainWorld, chainWorldOf } from "./chain-world.ts";
import { type ClusterWatch, entriesOf } from "./cluster-watch.ts";
import type { DevView } from "./control-view.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import type { InventoryView } from "./dashboard-view.ts";
import { historyOf } from "./history-view.ts";
import { hasResourceName } from "./names-view.ts";
import { withOwnerRows } from "./owner-rows.ts";
import {
  membershipOf,
  type SourceMembership,
  splitByMembership,
  withSource,
} from "./source-components.ts";

/** Everything that the views are made of, as it is at one moment. */
export interface DashboardWorld {
  readonly inventories: readonly InventoryView[];
  readonly components: readonly WorldComponent[];
  readonly chains: ChainWorld;
  /** What runs have changed, by the key of the inventory. */
  readonly histories: ReadonlyMap<string, readonly HistoryEntry[]>;
  readonly events: ReadonlyMap<string, readonly KubernetesObject[]>;
  readonly problems: readonly string[];
  readonly isComplete: boolean;
}

export interface WorldComponent {
  readonly key: string;
  readonly name: string;
  readonly inventory: InventoryView;
  readonly workload: KubernetesObject | undefined;
  readonly objects: readonly WorldObject[];
  readonly pods: readonly WorldObject[];
  /** The uids of all of it, also of what lies between workload and pods. */
  readonly uids: ReadonlySet<string>;
  /** What a dev loop says of it. */
  readonly dev?: DevView | undefined;
  /** Names of the components that must be ready before it, where its source says so. */
  readonly waitsFor?: readonly string[] | undefined;
}

export interface WorldObject {
  readonly key: string;
  readonly object: KubernetesObject;
  readonly verdict: Readiness;
  readonly otherOwner: string | undefined;
  /** A command of the user has put it there; no inventory names it. */
  readonly isDeployed?: boolean;
}

interface InventoryEntries extends InventoryView {
  readonly history: readonly HistoryEntry[];
  readonly entries: readonly ObjectIdentity[];
}

/**
 * Makes components of what each inventory owns, with a verdict on each object. A source knows better
 * what belongs together in its own inventory.
 */
export function worldOf(
  watch: ClusterWatch,
  facts: Pick<ReadinessContext, "logOf" | "now">,
  source?: DashboardSource,
): DashboardWorld {
  const events = watch.events();
  const context: ReadinessContext = {
    ...facts,
    eventsOf: ({ metadata }) => events.get(metadata.uid ?? "") ?? [],
    rulesOf: ruleBook(watch.definitions),
    childrenOf: (owner) => watch.childrenOf(owner),
  };
  const chains = chainWorldOf(watch, context);
  const found = inventoriesOf(watch.groups);
  const views = found.map(({ entries: _entries, history: _history, ...inventory }) => inventory);
  const membership = membershipOf(source, views);
  const owned = withOwn(found, membership).flatMap((each) =>
    componentsOf(
      watch,
      each,
      context,
      each.key === membership?.inventory.key ? membership : noMembership,
    ),
  );
  const isOfSource = ({ inventory }: WorldComponent): boolean =>
    inventory.key === membership?.inventory.key;
  const components = withOwnerRows(
    membership === undefined
      ? owned
      : [
          ...withSource(owned.filter(isOfSource), membership),
          ...owned.filter((component) => !isOfSource(component)),
        ],
    chains.owners,
    (parts) => worldComponent(parts, parts.inventory, context),
  );
  const named = Map.groupBy(
    owned.flatMap(({ inventory, objects }) =>
      objects.filter(hasResourceName).map(() => inventory.key),
    ),
    (key) => key,
  );
  return {
    inventories: views.map((inventory) => ({
      ...inventory,
      named: named.get(inventory.key)?.length ?? 0,
    })),
    components,
    histories: new Map(found.map(({ key, history }) => [key, history])),
    chains,
    events,
    problems: watch.problems,
    isComplete: watch.isComplete,
  };
}

/** The inventory of a source is looked at also while the cluster has none of it. */
function withOwn(
  found: readonly InventoryEntries[],
  membership: SourceMembership | undefined,
): readonly InventoryEntries[] {
  if (membership === undefined || found.some(({ key }) => key === membership.inventory.key))
    return found;
  return [...found, { ...membership.inventory, entries: [], history: [] }];
}

/** One inventory may be kept in several ResourceGroups: they share its id. */
function inventoriesOf(groups: readonly KubernetesObject[]): readonly InventoryEntries[] {
  const parts = Map.groupBy(groups, (group) => {
    const { namespace, id } = groupOfObject(group, "the cluster");
    return `${namespace}/${id}`;
  });
  return [...parts].map(([key, members]) => {
    const sorted = members.toSorted((a, b) => nameOf(a).length - nameOf(b).length);
    const { name, namespace, id } = groupOfObject(sorted[0] ?? emptyGroup, "the cluster");
    const entries = sorted.flatMap(entriesOf);
    const created = sorted[0]?.metadata.creationTimestamp ?? "";
    const history = historyOf(sorted[0] ?? emptyGroup);
    const changed = history[0]?.at ?? "";
    const objects = entries.length;
    return { key, name, namespace, id, created, objects, named: 0, changed, history, entries };
  });
}

const nowhere: SourceRange = { file: "the cluster", start: { line: 1, column: 1 } };
const emptyGroup: KubernetesObject = { apiVersion: "", kind: "", metadata: {} };

function nameOf({ metadata: { name = "" } }: KubernetesObject): string {
  return name;
}

function componentsOf(
  watch: ClusterWatch,
  { entries, history: _history, ...inventory }: InventoryEntries,
  context: ReadinessContext,
  { nameOf, workloads, deployed }: Pick<SourceMembership, "nameOf" | "workloads" | "deployed">,
): readonly WorldComponent[] {
  const objects = new Map([
    ...deployed.map((entry): [string, WorldObject] => {
      const found = worldObject(watch, entry, inventory, context);
      return [found.key, { ...found, otherOwner: undefined, isDeployed: true }];
    }),
    ...entries.map((entry): [string, WorldObject] => {
      const found = worldObject(watch, entry, inventory, context);
      return [found.key, found];
    }),
  ]);
  const { named, rest } = splitByMembership(objects, nameOf);
  const { components } = assemble({
    objects: [...rest.values()].map(({ object }) => ({
      object,
      file: "the cluster",
      sourceOf: () => nowhere,
      allowDuplicates: true,
    })),
    directives: [],
    effectiveNamespace: inventory.namespace,
    scopeOf: scopeLookup({ objects: watch.definitions }),
  });
  const assembled = components.map(({ name, workload, objects: members }) => ({
    name,
    workload: workload?.object,
    // What was left over may go by the name of a component of the source.
    own: [
      ...(named.get(name) ?? []),
      ...members.flatMap(({ object }) => objects.get(identityKey(identityOf(object))) ?? []),
    ],
  }));
  const taken = new Set(assembled.map(({ name }) => name));
  const said = [...named]
    .filter(([name]) => !taken.has(name))
    .map(([name, own]) => ({
      name,
      workload: own.find(
        ({ key, object, isDeployed }) =>
          workloads.has(key) || (isDeployed === true && runsPods(object)),
      )?.object,
      own,
    }));
  return [...said, ...assembled].map((component) => worldComponent(component, inventory, context));
}

const noMembership = {
  nameOf: new Map<string, string>(),
  workloads: new Set<string>(),
  deployed: [],
};

function worldComponent(
  {
    name,
    workload,
    own,
  }: {
    readonly name: string;
    readonly workload: KubernetesObject | undefined;
    readonly own: readonly WorldObject[];
  },
  inventory: InventoryView,
  context: ReadinessContext,
): WorldComponent {
  const descendants = descendantsOf(
    own.map(({ object }) => object),
    context,
  );
  return {
    key: `${inventory.key}/${name}`,
    name,
    inventory,
    workload,
    objects: own,
    pods: descendants
      .filter(({ kind }) => kind === "Pod")
      .map((object) => ({
        key: identityKey(identityOf(object)),
        object,
        verdict: readinessOf(object, context),
        otherOwner: undefined,
      })),
    uids: new Set(descendants.map(({ metadata: { uid = "" } }) => uid)),
  };
}

function worldObject(
  watch: ClusterWatch,
  entry: ObjectIdentity,
  { id }: InventoryView,
  context: ReadinessContext,
): WorldObject {
  const key = identityKey(entry);
  const found = watch.look(entry);
  if (found === undefined || found === "absent") {
    const verdict: Readiness =
      found === "absent"
        ? { status: "NotFound", reason: "NotFound", message: "it is not in the cluster" }
        : { status: "Unknown", reason: "Reading", message: "it has not been read yet" };
    return { key, object: standIn(entry), verdict, otherOwner: undefined };
  }
  const owner = found.metadata.annotations?.[owningInventoryAnnotation];
  return {
    key,
    object: found,
    verdict: readinessOf(found, context),
    otherOwner: owner === id ? undefined : (owner ?? ""),
  };
}

/** Something that has the name of what is not there. */
function standIn({ group, kind, namespace, name }: ObjectIdentity): KubernetesObject {
  return {
    apiVersion: group === "" ? "v1" : `${group}/v1`,
    kind,
    metadata: { name, ...(namespace === "" ? {} : { namespace }) },
  };
}

/** Some objects with all that they own, each once. */
function descendantsOf(
  objects: readonly KubernetesObject[],
  { childrenOf }: ReadinessContext,
): readonly KubernetesObject[] {
  const found = new Map<string, KubernetesObject>();
  const queue = [...objects];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { uid = "" } = next.metadata;
    if (uid === "" || found.has(uid)) continue;
    found.set(uid, next);
    queue.push(...(childrenOf?.(next) ?? []));
  }
  return [...found.values()];
}
