import { causeOf, conditionOf, conditionsOf } from "../causes/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { customResourceDefinition } from "./kinds/custom-resource-definition.ts";
import { daemonSet } from "./kinds/daemon-set.ts";
import { deployment } from "./kinds/deployment.ts";
import { isFinishedJob, job } from "./kinds/job.ts";
import { lookedAfter } from "./kinds/looked-after.ts";
import { namespace } from "./kinds/namespace.ts";
import { persistentVolumeClaim } from "./kinds/persistent-volume-claim.ts";
import { pod } from "./kinds/pod.ts";
import { provisionedRecord } from "./kinds/provisioned.ts";
import { replicaSet } from "./kinds/replica-set.ts";
import { service } from "./kinds/service.ts";
import { serviceCatalogObject } from "./kinds/service-catalog.ts";
import { statefulSet } from "./kinds/stateful-set.ts";
import type { ReadinessContext } from "./readiness-context.ts";
import { type Readiness, current, failed, inProgress } from "./readiness.ts";
import { invalidRule, judgeByRules } from "./rules/judge-rules.ts";

type Rule = (object: KubernetesObject, context: ReadinessContext) => Readiness;

const always: Rule = ({ kind }) => current(`${kind} is always ready`);

/** Kinds with a rule of their own; all others are judged by their Ready condition. */
const rules: Readonly<Record<string, Rule>> = {
  "/ConfigMap": always,
  "/Namespace": namespace,
  "/PersistentVolumeClaim": persistentVolumeClaim,
  "/Pod": pod,
  "/ReplicationController": replicaSet,
  "/Secret": always,
  "/Service": service,
  "apiextensions.k8s.io/CustomResourceDefinition": customResourceDefinition,
  "apps/DaemonSet": daemonSet,
  "apps/Deployment": deployment,
  "apps/ReplicaSet": replicaSet,
  "apps/StatefulSet": statefulSet,
  "batch/CronJob": always,
  "batch/Job": job,
  "carto.run/Deliverable": lookedAfter,
  "carto.run/Runnable": lookedAfter,
  "carto.run/Workload": lookedAfter,
  "keelson.dev/Provisioned": provisionedRecord,
  "kontinue.io/Deliverable": lookedAfter,
  "kontinue.io/Runnable": lookedAfter,
  "kontinue.io/Workload": lookedAfter,
  "policy/PodDisruptionBudget": always,
  "servicecatalog.k8s.io/ServiceBinding": serviceCatalogObject,
  "servicecatalog.k8s.io/ServiceInstance": serviceCatalogObject,
  "smith.atlassian.com/Bundle": lookedAfter,
  "smith.atlassian.com/Template": lookedAfter,
};

/** Is it ready, and if not, why not? The first rule that has an answer wins. */
export function readinessOf(object: KubernetesObject, context: ReadinessContext): Readiness {
  const general = generalReadiness(object);
  if (general !== undefined) return withCause(object, general, context);
  const rule = rules[`${groupOf(object.apiVersion)}/${object.kind}`];
  const verdict =
    // What is annotated to a definition is said of its instances.
    (rule === customResourceDefinition ? undefined : judgeByRules(object, context)) ??
    (rule ?? byReadyCondition)(object, context);
  return withCause(object, verdict, context);
}

const notObserved = "LatestGenerationNotObserved";

/** What is said of every object, whatever its kind. */
function generalReadiness(object: KubernetesObject): Readiness | undefined {
  const { deletionTimestamp, generation } = object.metadata;
  // A finished Job may be deleted soon after, by its own wish; that it finished stays true.
  if (deletionTimestamp !== undefined && !isFinishedJob(object)) {
    return {
      status: "Terminating",
      reason: "Terminating",
      message: `${object.kind} is being deleted`,
    };
  }
  const observed = (object["status"] as { observedGeneration?: unknown } | undefined)
    ?.observedGeneration;
  if (typeof observed === "number" && generation !== undefined && observed !== generation) {
    return inProgress(
      notObserved,
      `generation ${generation} has not been looked at yet, only ${observed}`,
    );
  }
  const conditions = conditionsOf(object);
  const reconciling = conditionOf(conditions, "Reconciling");
  if (reconciling?.status === "True")
    return inProgress(
      reconciling.reason ?? "Reconciling",
      reconciling.message ?? "still reconciling",
    );
  const stalled = conditionOf(conditions, "Stalled");
  if (stalled?.status === "True")
    return failed(stalled.reason ?? "Stalled", stalled.message ?? "stalled");
  return undefined;
}

function byReadyCondition(object: KubernetesObject): Readiness {
  const ready = conditionOf(conditionsOf(object), "Ready");
  if (ready === undefined || ready.status === "True") return current(`${object.kind} is ready`);
  return inProgress(ready.reason ?? "NotReady", ready.message ?? `Ready is ${ready.status}`);
}

/** What is not ready says why, and has failed when waiting longer does not help. */
function withCause(
  object: KubernetesObject,
  verdict: Readiness,
  context: ReadinessContext,
): Readiness {
  const { status, reason } = verdict;
  // The children that there are then belong to what the object was before.
  if (reason === notObserved || reason === invalidRule) return verdict;
  const cause = causeOf(object, context);
  if (cause === undefined) return verdict;
  const isWaitedFor = status === "InProgress" || status === "Failed" || status === "Terminating";
  // What counts as ready although something is amiss stays ready.
  if (!isWaitedFor)
    return neverWaitedFor.includes(object.kind)
      ? { ...verdict, message: cause.summary, cause }
      : verdict;
  return {
    status: status === "InProgress" && cause.isFinal ? "Failed" : status,
    reason: cause.reason,
    message: cause.summary,
    cause,
  };
}

/** Kinds that are ready when they are written; that they do not work yet is told and not waited for. */
const neverWaitedFor = ["Service", "HorizontalPodAutoscaler", "APIService"];
