import type { ObjectIdentity } from "../objects/index.ts";
import type { DashboardSource, SourceComponent } from "./dashboard-source.ts";
import type { InventoryView } from "./dashboard-view.ts";
import type { WorldComponent, WorldObject } from "./world.ts";

/** What a source says of the components of one inventory. */
export interface SourceMembership {
  /** As it is in the cluster, or as it is going to be. */
  readonly inventory: InventoryView;
  readonly components: readonly SourceComponent[];
  /** The name of the component that an object belongs to, by identity key. */
  readonly nameOf: ReadonlyMap<string, string>;
  /** Identity keys of what runs something. */
  readonly workloads: ReadonlySet<string>;
  /** What commands have put into the cluster beside the inventory. */
  readonly deployed: readonly ObjectIdentity[];
}

/** The inventory of a source with who belongs where; undefined as long as it has none. */
export function membershipOf(
  source: DashboardSource | undefined,
  inventories: readonly InventoryView[],
): SourceMembership | undefined {
  const group = source?.group();
  if (source === undefined || group === undefined) return undefined;
  const key = `${group.namespace}/${group.id}`;
  const components = source.components();
  return {
    inventory: inventories.find((each) => each.key === key) ?? {
      ...group,
      key,
      created: "",
      objects: 0,
      named: 0,
      changed: "",
    },
    components,
    deployed: components.flatMap(({ deployed }) => deployed),
    workloads: new Set(components.flatMap(({ workload }) => workload ?? [])),
    nameOf: new Map(
      components.flatMap(({ name, objects }) => [...objects].map((object) => [object, name])),
    ),
  };
}

/** All components of a source, also those that have nothing in the cluster, with what they say of themselves. */
export function withSource(
  found: readonly WorldComponent[],
  { inventory, components }: SourceMembership,
): readonly WorldComponent[] {
  const byName = new Map(found.map((component) => [component.name, component]));
  const said = components.map(({ name, view, waitsFor }): WorldComponent => {
    const known = byName.get(name);
    byName.delete(name);
    return {
      ...(known ?? {
        key: `${inventory.key}/${name}`,
        name,
        inventory,
        workload: undefined,
        objects: [],
        pods: [],
        uids: new Set(),
      }),
      dev: view,
      waitsFor,
    };
  });
  return [...said, ...byName.values()];
}

/** Objects by the component that a source gives them; those that it does not know are left over. */
export function splitByMembership(
  objects: ReadonlyMap<string, WorldObject>,
  nameOf: ReadonlyMap<string, string>,
): {
  readonly named: ReadonlyMap<string, readonly WorldObject[]>;
  readonly rest: ReadonlyMap<string, WorldObject>;
} {
  const known = [...objects.values()].filter(({ key }) => nameOf.has(key));
  return {
    named: Map.groupBy(known, ({ key }) => nameOf.get(key) ?? ""),
    rest: new Map([...objects].filter(([key]) => !nameOf.has(key))),
  };
}
