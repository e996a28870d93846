import { runsPods } from "../assembly/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { WorldOwner } from "./chain-world.ts";
import type { InventoryView } from "./dashboard-view.ts";
import type { WorldComponent, WorldObject } from "./world.ts";

/** What a component is made of. */
export interface ComponentParts {
  readonly name: string;
  readonly inventory: InventoryView;
  readonly workload: KubernetesObject | undefined;
  readonly own: readonly WorldObject[];
}

/**
 * Makes a component of each owner, with what was made for it: who looks for what runs finds it under the
 * name that its author gave it, and not among what goes with no workload.
 */
export function withOwnerRows(
  components: readonly WorldComponent[],
  owners: readonly WorldOwner[],
  make: (parts: ComponentParts) => WorldComponent,
): readonly WorldComponent[] {
  if (owners.length === 0) return components;
  const owned = new Map(owners.map((owner) => [owner.key, owner]));
  const placed = new Set<string>();
  const named = new Set(components.map(({ key }) => key));
  const row = (owner: WorldOwner, inventory: InventoryView, own: WorldObject): WorldComponent => {
    placed.add(owner.key);
    const stamped = owner.steps.flatMap((step) => step.stamped ?? []);
    const name = own.object.metadata.name ?? "";
    const key = `${inventory.key}/${name}`;
    const isTaken = named.has(key);
    named.add(key);
    return make({
      name: isTaken ? `${name} (${own.object.kind})` : name,
      inventory,
      workload: stamped.find(({ object }) => runsPods(object))?.object ?? own.object,
      own: [{ ...own, verdict: owner.verdict }, ...stamped],
    });
  };
  const split = components.flatMap((component): readonly WorldComponent[] => {
    const mine = component.objects.filter(({ key }) => owned.has(key));
    // What a source says belongs together stays together.
    if (mine.length === 0 || component.dev !== undefined) {
      for (const { key } of mine) placed.add(key);
      return [component];
    }
    const rest = component.objects.filter(({ key }) => !owned.has(key));
    const rows = mine.flatMap((own) => {
      const owner = owned.get(own.key);
      return owner === undefined ? [] : [row(owner, component.inventory, own)];
    });
    const { name, inventory, workload } = component;
    const isOwner = mine.some(({ object }) => object === workload);
    const left = make({ name, inventory, workload: isOwner ? undefined : workload, own: rest });
    return rest.length === 0 ? rows : [left, ...rows];
  });
  const others = owners
    .filter(({ key }) => !placed.has(key))
    .map((owner) =>
      row(owner, outside(owner.object), {
        key: owner.key,
        object: owner.object,
        verdict: owner.verdict,
        otherOwner: undefined,
      }),
    );
  return [...split, ...others];
}

/** Stands for the inventory of what no inventory owns. */
function outside({ metadata: { namespace = "" } }: KubernetesObject): InventoryView {
  return {
    key: `${namespace}/`,
    namespace,
    name: "",
    id: "",
    created: "",
    objects: 0,
    named: 0,
    changed: "",
  };
}
