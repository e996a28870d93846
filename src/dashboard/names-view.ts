import { type HistoryEntry, resourceNameAnnotation } from "../inventory/index.ts";
import { authoritativeId, isProvisionedObject, recordOfObject } from "../plan/index.ts";
import type { NameView } from "./dashboard-view.ts";
import type { DashboardWorld, WorldComponent, WorldObject } from "./world.ts";

/** The resources of programs: what each is called, and what it is. */
export function namesView({ components, histories }: DashboardWorld): readonly NameView[] {
  return components
    .flatMap((component) =>
      component.objects.flatMap((each) => {
        const former = formerNames(each.key, histories.get(component.inventory.key) ?? []);
        return nameView(each, component, former) ?? [];
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function hasResourceName({ object }: WorldObject): boolean {
  return object.metadata.annotations?.[resourceNameAnnotation] !== undefined;
}

function nameView(
  { key, object, verdict }: WorldObject,
  component: WorldComponent,
  former: readonly string[],
): NameView | undefined {
  const name = object.metadata.annotations?.[resourceNameAnnotation];
  if (name === undefined) return undefined;
  const record = isProvisionedObject(object) ? recordOfObject(object) : undefined;
  return {
    key,
    name,
    id: authoritativeId(object),
    type: record?.spec.type ?? `${object.apiVersion} ${object.kind}`,
    provider: record?.spec.provider ?? "kubernetes",
    phase: record === undefined ? "" : (record.status?.phase ?? "nothing done yet"),
    inventory: component.inventory.key,
    component: component.key,
    former: former.filter((each) => each !== name),
    ...verdict,
  };
}

/** What a resource was called before, the newest first, as far as that is remembered. */
function formerNames(key: string, history: readonly HistoryEntry[]): readonly string[] {
  const names = history.flatMap(({ objects }) =>
    objects.flatMap((object) => (object.key === key ? (object.was ?? []) : [])),
  );
  return [...new Set(names)];
}
