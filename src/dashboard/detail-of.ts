import { isJsonObject } from "../json/index.ts";
import { type KubernetesObject, maskSecrets, writeYaml } from "../objects/index.ts";
import type { ComponentDetail, ConditionView, EventView, PodView } from "./dashboard-view.ts";
import { textOf } from "./text-of.ts";
import type { DashboardWorld, WorldComponent, WorldObject } from "./world.ts";

const mostEvents = 200;

/** What the view of one component shows. */
export function detailOf(component: WorldComponent, { events }: DashboardWorld): ComponentDetail {
  return {
    objects: component.objects.map(({ key, object }) => ({
      key,
      // They were masked when they arrived; what is written out is masked whatever happens there.
      yaml: object.metadata.uid === undefined ? "" : writeYaml([maskSecrets(object)]),
      conditions: conditionViews(object["status"]),
    })),
    pods: component.pods.map(podView),
    events: [...component.uids]
      .flatMap((uid) => events.get(uid) ?? [])
      .map(eventView)
      .sort((a, b) => b.last.localeCompare(a.last))
      .slice(0, mostEvents),
  };
}

/** The containers of a pod, those that begin first first. */
export function namesOfContainers({ spec }: KubernetesObject): readonly string[] {
  if (!isJsonObject(spec)) return [];
  return [spec["initContainers"], spec["containers"]].flatMap((list) =>
    Array.isArray(list) ? list.filter(isJsonObject).map(({ name }) => textOf(name)) : [],
  );
}

function podView({ object, verdict }: WorldObject): PodView {
  const { status } = object;
  const statuses = isJsonObject(status) ? status["containerStatuses"] : [];
  const counts = Array.isArray(statuses)
    ? statuses.filter(isJsonObject).map(({ restartCount }) => Number(restartCount ?? 0))
    : [];
  return {
    ...verdict,
    name: object.metadata.name ?? "",
    created: object.metadata.creationTimestamp ?? "",
    restarts: counts.reduce((sum, count) => sum + count, 0),
    containers: namesOfContainers(object),
  };
}

/** The conditions in a status. */
export function conditionViews(status: unknown): readonly ConditionView[] {
  const conditions = isJsonObject(status) ? status["conditions"] : [];
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isJsonObject).map((condition) => ({
    type: textOf(condition["type"]),
    status: textOf(condition["status"]),
    reason: textOf(condition["reason"]),
    message: textOf(condition["message"]),
    since: textOf(condition["lastTransitionTime"]),
  }));
}

function eventView(event: KubernetesObject): EventView {
  const about = isJsonObject(event["involvedObject"]) ? event["involvedObject"] : {};
  const series = isJsonObject(event["series"]) ? event["series"] : {};
  const times = [series["lastObservedTime"], event["lastTimestamp"], event["eventTime"]];
  return {
    key: event.metadata.uid ?? "",
    type: textOf(event["type"]),
    reason: textOf(event["reason"]),
    message: textOf(event["message"]),
    about: `${textOf(about["kind"])} ${textOf(about["name"])}`,
    count: Number(series["count"] ?? event["count"] ?? 1),
    last: times.map(textOf).find((time) => time !== "") ?? event.metadata.creationTimestamp ?? "",
  };
}
