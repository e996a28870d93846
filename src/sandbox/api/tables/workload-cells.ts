import type { KubernetesObject } from "../../../objects/index.ts";
import { aged, ageOf, humanDuration, timeSince } from "./age.ts";
import type { CellsOf } from "./column.ts";
import { containerCells, formatLabels, formatSelector, selectorText } from "./format-cells.ts";
import {
  at,
  booleanAt,
  conditionAt,
  listAt,
  numberAt,
  recordAt,
  textIn,
  textOr,
} from "./read-fields.ts";

/** The rows of what makes pods. */
export const workloadCells: Readonly<Record<string, CellsOf>> = {
  "apps/deployments": (object, now) => [
    object.metadata.name,
    `${numberAt(object, "status.readyReplicas")}/${numberAt(object, "spec.replicas")}`,
    numberAt(object, "status.updatedReplicas"),
    numberAt(object, "status.availableReplicas"),
    ageOf(object, now),
    ...containerCells(at(object, "spec.template")),
    selectorText(at(object, "spec.selector")),
  ],
  "apps/replicasets": (object, now) => [
    ...replicas(object, now),
    formatSelector(at(object, "spec.selector")),
  ],
  "/replicationcontrollers": (object, now) => [
    ...replicas(object, now),
    formatLabels(recordAt(object, "spec.selector")),
  ],
  "apps/statefulsets": (object, now) => [
    object.metadata.name,
    `${numberAt(object, "status.readyReplicas")}/${numberAt(object, "spec.replicas")}`,
    ageOf(object, now),
    ...containerCells(at(object, "spec.template")),
  ],
  "apps/daemonsets": (object, now) => [
    object.metadata.name,
    numberAt(object, "status.desiredNumberScheduled"),
    numberAt(object, "status.currentNumberScheduled"),
    numberAt(object, "status.numberReady"),
    numberAt(object, "status.updatedNumberScheduled"),
    numberAt(object, "status.numberAvailable"),
    formatLabels(recordAt(object, "spec.template.spec.nodeSelector")),
    ageOf(object, now),
    ...containerCells(at(object, "spec.template")),
    formatSelector(at(object, "spec.selector")),
  ],
  "apps/controllerrevisions": aged((object) => [
    controllerName(object),
    numberAt(object, "revision"),
  ]),
  "batch/jobs": (object, now) => [
    object.metadata.name,
    jobStatus(object),
    completions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containerCells(at(object, "spec.template")),
    formatSelector(at(object, "spec.selector")),
  ],
  "batch/cronjobs": (object, now) => [
    object.metadata.name,
    textIn(object, "spec.schedule"),
    textOr(object, "spec.timeZone", "<none>"),
    suspendText(at(object, "spec.suspend")),
    listAt(object, "status.active").length,
    at(object, "status.lastScheduleTime") === undefined
      ? "<none>"
      : timeSince(at(object, "status.lastScheduleTime"), now),
    ageOf(object, now),
    ...containerCells(at(object, "spec.jobTemplate.spec.template")),
    formatSelector(at(object, "spec.jobTemplate.spec.selector")),
  ],
  "/podtemplates": (object) => [
    object.metadata.name,
    ...containerCells(at(object, "template")),
    formatLabels(recordAt(object, "template.metadata.labels")),
  ],
};

function replicas(object: KubernetesObject, now: number): readonly unknown[] {
  return [
    object.metadata.name,
    numberAt(object, "spec.replicas"),
    numberAt(object, "status.replicas"),
    numberAt(object, "status.readyReplicas"),
    ageOf(object, now),
    ...containerCells(at(object, "spec.template")),
  ];
}

function completions(job: KubernetesObject): string {
  const succeeded = numberAt(job, "status.succeeded");
  if (at(job, "spec.completions") !== undefined) {
    return `${succeeded}/${numberAt(job, "spec.completions")}`;
  }
  const parallelism = numberAt(job, "spec.parallelism");
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubernetesObject, now: number): string {
  const started = textIn(job, "status.startTime");
  const completed = textIn(job, "status.completionTime");
  if (started === "") return "";
  return humanDuration((completed === "" ? now : Date.parse(completed)) - Date.parse(started));
}

function jobStatus(job: KubernetesObject): string {
  const has = (type: string): boolean => conditionAt(job, "status.conditions", type) === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  if (has("Suspended")) return "Suspended";
  if (has("FailureTarget")) return "FailureTarget";
  return has("SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
}

function suspendText(suspend: unknown): string {
  if (typeof suspend !== "boolean") return "<unset>";
  return suspend ? "True" : "False";
}

function controllerName({ metadata }: KubernetesObject): string {
  const owner = metadata.ownerReferences?.find((each) => booleanAt(each, "controller"));
  if (owner === undefined) return "<none>";
  const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0] ?? ""}` : "";
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}
