import { objectAt } from "../../json/index.ts";
import { type DefaultsByType, ensureObject, isSet, setDefault } from "./type-defaults.ts";

const largestInt32 = 2_147_483_647;

/** Deployments and their kin. */
export const workloadDefaults: DefaultsByType = {
  "apps.v1.Deployment": (deployment) => {
    const spec = ensureObject(deployment, "spec");
    setDefault(spec, "replicas", 1);
    const strategy = ensureObject(spec, "strategy");
    setDefault(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ensureObject(strategy, "rollingUpdate");
      setDefault(rollingUpdate, "maxUnavailable", "25%");
      setDefault(rollingUpdate, "maxSurge", "25%");
    }
    setDefault(spec, "revisionHistoryLimit", 10);
    setDefault(spec, "progressDeadlineSeconds", 600);
  },
  "apps.v1.ReplicaSet": (set) => setDefault(ensureObject(set, "spec"), "replicas", 1),
  "apps.v1.StatefulSet": (set) => {
    const spec = ensureObject(set, "spec");
    setDefault(spec, "podManagementPolicy", "OrderedReady");
    const strategy = ensureObject(spec, "updateStrategy");
    if (!isSet(strategy, "type") || strategy["type"] === "") {
      strategy["type"] = "RollingUpdate";
      ensureObject(strategy, "rollingUpdate");
    }
    const rollingUpdate = objectAt(strategy, "rollingUpdate");
    if (strategy["type"] === "RollingUpdate" && rollingUpdate !== undefined) {
      setDefault(rollingUpdate, "partition", 0);
    }
    const retention = ensureObject(spec, "persistentVolumeClaimRetentionPolicy");
    setDefault(retention, "whenDeleted", "Retain");
    setDefault(retention, "whenScaled", "Retain");
    setDefault(spec, "replicas", 1);
    setDefault(spec, "revisionHistoryLimit", 10);
  },
  "apps.v1.StatefulSetSpec": (spec) => {
    // A claim template is an object of its own kind, and says so.
    const templates = spec["volumeClaimTemplates"];
    if (!Array.isArray(templates)) return;
    for (const template of templates) {
      if (typeof template !== "object" || template === null || Array.isArray(template)) continue;
      setDefault(template, "apiVersion", "v1");
      setDefault(template, "kind", "PersistentVolumeClaim");
    }
  },
  "apps.v1.DaemonSet": (set) => {
    const spec = ensureObject(set, "spec");
    const strategy = ensureObject(spec, "updateStrategy");
    setDefault(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ensureObject(strategy, "rollingUpdate");
      setDefault(rollingUpdate, "maxUnavailable", 1);
      setDefault(rollingUpdate, "maxSurge", 0);
    }
    setDefault(spec, "revisionHistoryLimit", 10);
  },
  "core.v1.ReplicationController": (controller) => {
    const spec = ensureObject(controller, "spec");
    const template = objectAt(spec, "template");
    const labels = objectAt(objectAt(template ?? {}, "metadata") ?? {}, "labels");
    if (labels === undefined) return;
    if (!isSet(spec, "selector")) spec["selector"] = { ...labels };
    const metadata = ensureObject(controller, "metadata");
    if (!isSet(metadata, "labels")) metadata["labels"] = { ...labels };
  },
  "batch.v1.Job": (job) => {
    const spec = ensureObject(job, "spec");
    if (!isSet(spec, "completions") && !isSet(spec, "parallelism")) spec["completions"] = 1;
    setDefault(spec, "parallelism", 1);
    setDefault(spec, "backoffLimit", isSet(spec, "backoffLimitPerIndex") ? largestInt32 : 6);
    const labels = objectAt(objectAt(ensureObject(spec, "template"), "metadata") ?? {}, "labels");
    const metadata = ensureObject(job, "metadata");
    // The same map, not a copy: what the server adds to the template's labels is then added here.
    if (labels !== undefined && !isSet(metadata, "labels")) metadata["labels"] = labels;
    setDefault(spec, "completionMode", "NonIndexed");
    setDefault(spec, "suspend", false);
    const replacement = isSet(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed";
    setDefault(spec, "podReplacementPolicy", replacement);
    setDefault(spec, "manualSelector", false);
  },
  "batch.v1.PodFailurePolicyOnPodConditionsPattern": (pattern) =>
    setDefault(pattern, "status", "True"),
  "batch.v1.CronJob": (cronJob) => {
    const spec = ensureObject(cronJob, "spec");
    setDefault(spec, "concurrencyPolicy", "Allow");
    setDefault(spec, "suspend", false);
    setDefault(spec, "successfulJobsHistoryLimit", 3);
    setDefault(spec, "failedJobsHistoryLimit", 1);
  },
};
