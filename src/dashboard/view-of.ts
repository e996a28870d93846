import { isJsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { ReadinessStatus } from "../readiness/index.ts";
import type { ComponentAction, ControlView } from "./control-view.ts";
import type { ComponentView, DashboardChange, DashboardView } from "./dashboard-view.ts";
import { isPlatformKind } from "./chain-kinds.ts";
import { devVerdict } from "./dev-verdict.ts";
import { lastChanges } from "./history-view.ts";
import { viewOfObject } from "./object-view.ts";
import { ownerView } from "./owner-view.ts";
import { stateVersion } from "./state-version.ts";
import type { DashboardWorld, WorldComponent, WorldObject } from "./world.ts";

/** What is known beside the cluster, and who does what the page asks for. */
export interface ViewContext {
  readonly description: string;
  readonly control: (world: DashboardWorld) => ControlView;
  readonly offersFor: (component: WorldComponent) => readonly ComponentAction[];
}

/** What the overview shows of everything. */
export function viewOf(
  world: DashboardWorld,
  { description: cluster, control, offersFor }: ViewContext,
): DashboardView {
  return {
    cluster,
    inventories: world.inventories,
    components: componentViews(world, offersFor),
    control: control(world),
    owners: world.chains.owners.map(ownerView),
    problems: world.problems,
    isComplete: world.isComplete,
  };
}

/** The difference between two views; undefined when there is none. */
export function changeOf(before: DashboardView, after: DashboardView): DashboardChange | undefined {
  const { components, owners, ...rest } = after;
  const { components: former, owners: formerOwners, ...formerRest } = before;
  // They are sent as a whole, but only when there is news of them.
  const haveOwnersChanged = JSON.stringify(owners) !== JSON.stringify(formerOwners);
  const known = new Map(former.map((component) => [component.key, JSON.stringify(component)]));
  const changed = components.filter(
    (component) => known.get(component.key) !== JSON.stringify(component),
  );
  const present = new Set(components.map(({ key }) => key));
  const removed = former.map(({ key }) => key).filter((key) => !present.has(key));
  const isSame =
    changed.length === 0 &&
    removed.length === 0 &&
    !haveOwnersChanged &&
    JSON.stringify(rest) === JSON.stringify(formerRest);
  if (isSame) return undefined;
  return { ...rest, ...(haveOwnersChanged ? { owners } : {}), changed, removed };
}

/** From what most needs a look to what needs none. */
const severity: readonly ReadinessStatus[] = [
  "Failed",
  "NotFound",
  "InProgress",
  "Terminating",
  "Unknown",
  "Current",
];

function componentViews(
  world: DashboardWorld,
  offersFor: ViewContext["offersFor"],
): readonly ComponentView[] {
  const changes = new Map(
    [...world.histories].map(([inventory, history]) => [inventory, lastChanges(history)]),
  );
  return world.components.map((component) => {
    const view = componentView(component, world, changes.get(component.inventory.key) ?? new Map());
    const offers = offersFor(component);
    const { dev } = component;
    if (dev === undefined) return { ...view, offers };
    const runs = view.runs || dev.isLocal;
    return {
      ...view,
      cause: undefined,
      labels: [...dev.labels, ...view.labels],
      dev,
      runs,
      ...devVerdict(dev),
      offers,
    };
  });
}

const mostLabels = 10;

function componentView(
  component: WorldComponent,
  world: DashboardWorld,
  changes: ReadonlyMap<string, string>,
): Omit<ComponentView, "dev" | "offers"> {
  const { key, name, inventory, workload, objects } = component;
  const worst = objects.toSorted(
    (a, b) => severity.indexOf(a.verdict.status) - severity.indexOf(b.verdict.status),
  )[0];
  const main =
    objects.find(
      ({ object, verdict }) => object === workload && verdict.status === worst?.verdict.status,
    ) ?? worst;
  const first = workload ?? objects[0]?.object;
  return {
    key,
    name,
    inventory: inventory.key,
    namespace: first?.metadata.namespace ?? "",
    workload: workload?.kind ?? "",
    created: first?.metadata.creationTimestamp ?? "",
    updated: objects.reduce(
      (latest, { key: object }) => later(latest, changes.get(object) ?? ""),
      first?.metadata.creationTimestamp ?? "",
    ),
    labels: Object.entries(workload?.metadata.labels ?? {})
      .slice(0, mostLabels)
      .map(([label, value]) => `${label}=${value}`),
    endpoints: objects.flatMap(({ object }) => endpointsOf(object)),
    status: main?.verdict.status ?? "Unknown",
    reason: main?.verdict.reason ?? "",
    message: main === undefined ? "" : messageOf(main, workload),
    ...(main?.verdict.cause === undefined ? {} : { cause: main.verdict.cause }),
    runs: workload !== undefined && !isPlatformKind(workload),
    objects: objects.map(viewOfObject),
    version: versionOfComponent(component, world),
  };
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}

/** What is wrong with a part says which part it is. */
function messageOf(
  { object, verdict: { status, message, cause } }: WorldObject,
  workload: KubernetesObject | undefined,
): string {
  return object === workload || status === "Current" || cause !== undefined
    ? message
    : `${object.kind} ${object.metadata.name ?? ""}: ${message}`;
}

function endpointsOf({ kind, metadata, spec }: KubernetesObject): readonly string[] {
  if (kind !== "Service" || !isJsonObject(spec) || !Array.isArray(spec["ports"])) return [];
  return spec["ports"]
    .filter(isJsonObject)
    .map(({ port }) => `${metadata.name ?? ""}:${Number(port)}`);
}

function versionOfComponent(
  { objects, pods, uids }: WorldComponent,
  { events }: DashboardWorld,
): string {
  const about = [...uids].flatMap((uid) => events.get(uid) ?? []);
  return stateVersion([...[...objects, ...pods].map(({ object }) => object), ...about]);
}
