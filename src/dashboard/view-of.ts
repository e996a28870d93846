import { createHash } from "node:crypto";
import { identityOf, isJsonObject, type KubernetesObject } from "../objects/index.ts";
import type { ReadinessStatus } from "../readiness/index.ts";
import type { ComponentAction, ControlView } from "./control-view.ts";
import type {
  ComponentView,
  DashboardChange,
  DashboardView,
  ObjectView,
} from "./dashboard-view.ts";
import { devVerdict } from "./dev-verdict.ts";
import type { World, WorldComponent, WorldObject } from "./world.ts";

/** What is known beside the cluster, and who does what the page asks for. */
export interface ViewContext {
  readonly description: string;
  readonly control: (world: World) => ControlView;
  readonly offersFor: (component: WorldComponent) => readonly ComponentAction[];
}

/** What the overview shows of everything. */
export function viewOf(
  world: World,
  { description: cluster, control, offersFor }: ViewContext,
): DashboardView {
  return {
    cluster,
    inventories: world.inventories,
    components: world.components.map((component) => ({
      ...componentView(component, world),
      ...(component.dev === undefined ? {} : { dev: component.dev, ...devVerdict(component.dev) }),
      offers: offersFor(component),
    })),
    control: control(world),
    problems: world.problems,
    isComplete: world.isComplete,
  };
}

/** The difference between two views; undefined when there is none. */
export function changeOf(before: DashboardView, after: DashboardView): DashboardChange | undefined {
  const { components, ...rest } = after;
  const { components: former, ...formerRest } = before;
  const known = new Map(former.map((component) => [component.key, JSON.stringify(component)]));
  const changed = components.filter(
    (component) => known.get(component.key) !== JSON.stringify(component),
  );
  const present = new Set(components.map(({ key }) => key));
  const removed = former.map(({ key }) => key).filter((key) => !present.has(key));
  const isSame =
    changed.length === 0 &&
    removed.length === 0 &&
    JSON.stringify(rest) === JSON.stringify(formerRest);
  return isSame ? undefined : { ...rest, changed, removed };
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

function componentView(
  component: WorldComponent,
  world: World,
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
    endpoints: objects.flatMap(({ object }) => endpointsOf(object)),
    status: main?.verdict.status ?? "Unknown",
    reason: main?.verdict.reason ?? "",
    message: main === undefined ? "" : messageOf(main, workload),
    objects: objects.map(objectView),
    version: versionOf(component, world),
  };
}

/** What is wrong with a part says which part it is. */
function messageOf(
  { object, verdict: { status, message } }: WorldObject,
  workload: KubernetesObject | undefined,
): string {
  return object === workload || status === "Current"
    ? message
    : `${object.kind} ${object.metadata.name ?? ""}: ${message}`;
}

function objectView({ key, object, verdict, otherOwner }: WorldObject): ObjectView {
  const { kind, namespace, name } = identityOf(object);
  const created = object.metadata.creationTimestamp ?? "";
  return {
    key,
    kind,
    namespace,
    name,
    created,
    ...verdict,
    ...(otherOwner === undefined ? {} : { otherOwner }),
  };
}

function endpointsOf({ kind, metadata, spec }: KubernetesObject): readonly string[] {
  if (kind !== "Service" || !isJsonObject(spec) || !Array.isArray(spec["ports"])) return [];
  return spec["ports"]
    .filter(isJsonObject)
    .map(({ port }) => `${metadata.name ?? ""}:${Number(port)}`);
}

function versionOf({ objects, pods, uids }: WorldComponent, { events }: World): string {
  const about = [...uids].flatMap((uid) => events.get(uid) ?? []);
  const hash = createHash("sha256");
  for (const { metadata } of [...[...objects, ...pods].map(({ object }) => object), ...about])
    hash.update(`${metadata.uid ?? ""} ${metadata.resourceVersion ?? ""}\n`);
  return hash.digest("base64url").slice(0, 16);
}
