import { asObject, type JsonObject } from "../../json/index.ts";
import { notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { validateAnnotations, validateLabels } from "./metadata-validation.ts";
import { percentProblems } from "./names.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { isEmptySelector, matchesSelector, validateSelector } from "./selector-validation.ts";

export function validateDeployment(object: Checker): void {
  const spec = object.at("spec");
  spec.atLeast("replicas", 0);
  validateTemplateSelector(spec, "deployment");
  validateTemplate(spec, "ReplicaSet");
  validateDeploymentStrategy(spec);
  for (const key of ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"]) {
    spec.atLeast(key, 0);
  }
  const deadline = Number(spec.get("progressDeadlineSeconds") ?? 600);
  if (deadline <= Number(spec.get("minReadySeconds") ?? 0)) {
    spec.invalid("progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
  }
}

export function validateReplicaSet(object: Checker): void {
  const spec = object.at("spec");
  spec.atLeast("replicas", 0);
  spec.atLeast("minReadySeconds", 0);
  validateTemplateSelector(spec, "replica set");
  validateTemplate(spec, "ReplicaSet");
}

export function validateReplicationController(object: Checker): void {
  const spec = object.at("spec");
  spec.atLeast("minReadySeconds", 0);
  spec.atLeast("replicas", 0);
  spec.require("selector");
  const selector = asObject(spec.get("selector")) ?? {};
  if (spec.has("selector") && Object.keys(selector).length === 0)
    spec.add(requiredField(spec.field("selector")));
  if (!spec.has("template")) {
    spec.require("template");
    return;
  }
  const labels = templateLabels(spec) ?? {};
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value))
    reportMismatch(spec, templateLabels(spec));
  validateTemplate(spec, "ReplicationController");
}

export function validateStatefulSet(object: Checker): void {
  const spec = object.at("spec");
  if (!["OrderedReady", "Parallel"].includes(spec.text("podManagementPolicy"))) {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    spec.invalid("podManagementPolicy", spec.text("podManagementPolicy"), detail);
  }
  const strategy = spec.at("updateStrategy");
  if (!["RollingUpdate", "OnDelete"].includes(strategy.text("type"))) {
    spec.invalid("updateStrategy", strategy.object, "must be 'RollingUpdate' or 'OnDelete'");
  }
  spec.atLeast("replicas", 0);
  spec.atLeast("minReadySeconds", 0);
  validateTemplateSelector(spec, "statefulset");
  validateTemplate(spec, "StatefulSet", claimNames(spec));
}

export function validateDaemonSet(object: Checker): void {
  const spec = object.at("spec");
  validateTemplateSelector(spec, "daemonset");
  validateTemplate(spec, "DaemonSet");
  spec.atLeast("minReadySeconds", 0);
  spec.atLeast("revisionHistoryLimit", 0);
  const strategy = spec.at("updateStrategy");
  const allowed = ["RollingUpdate", "OnDelete"];
  if (!allowed.includes(strategy.text("type"))) {
    spec.add(notSupported(strategy.path, strategy.object, allowed));
  }
}

export function validateJob(object: Checker): void {
  validateJobSpec(object.at("spec"));
}

export function validateCronJob(object: Checker): void {
  const spec = object.at("spec");
  const schedule = spec.text("schedule");
  if (spec.require("schedule")) {
    const fields = schedule.trim().split(/\s+/);
    if (!schedule.startsWith("@") && fields.length !== 5) {
      const detail = `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
      spec.invalid("schedule", schedule, detail);
    }
  }
  spec.oneOf("concurrencyPolicy", ["Allow", "Forbid", "Replace"]);
  const zone = spec.text("timeZone");
  if (zone !== "" && !isTimeZone(zone)) {
    spec.invalid("timeZone", zone, `unknown time zone ${zone}`);
  }
  spec.atLeast("startingDeadlineSeconds", 0);
  spec.atLeast("successfulJobsHistoryLimit", 0);
  spec.atLeast("failedJobsHistoryLimit", 0);
  validateJobSpec(spec.at("jobTemplate").at("spec"));
}

function validateJobSpec(spec: Checker): void {
  for (const key of [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
  ]) {
    spec.atLeast(key, 0);
  }
  spec.oneOf("completionMode", ["NonIndexed", "Indexed"]);
  const template = spec.at("template");
  validatePodSpec(template.at("spec"));
  const policy = template.at("spec").text("restartPolicy");
  if (policy === "Always" || policy === "") {
    const at = template.at("spec").field("restartPolicy");
    spec.add(requiredField(at, 'valid values: "OnFailure", "Never"'));
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

function validateTemplateSelector(spec: Checker, kind: string): void {
  const labels = templateLabels(spec);
  const selector = spec.maybe("selector");
  if (selector === undefined) {
    spec.add(requiredField(spec.field("selector")));
    reportMismatch(spec, labels);
    return;
  }
  if (!validateSelector(selector)) {
    spec.invalid("selector", selector.object, "invalid label selector");
  } else if (isEmptySelector(selector.object)) {
    spec.invalid("selector", selector.object, `empty selector is invalid for ${kind}`);
  } else if (!matchesSelector(selector.object, labels ?? {})) reportMismatch(spec, labels);
}

function templateLabels(spec: Checker): JsonObject | undefined {
  return asObject(spec.at("template").at("metadata").get("labels"));
}

function reportMismatch(spec: Checker, labels: JsonObject | undefined): void {
  const detail = "`selector` does not match template `labels`";
  spec.invalid("template.metadata.labels", labels ?? null, detail);
}

/** The pods of a workload, which run for ever; claims of its own are volumes of each of them. */
function validateTemplate(spec: Checker, kind: string, claims: readonly string[] = []): void {
  const template = spec.at("template");
  validateTemplateMetadata(template);
  const podSpec = template.at("spec");
  validatePodSpec(podSpec, { isPod: false, claims });
  const policy = podSpec.text("restartPolicy");
  if (policy !== "Always" && policy !== "")
    podSpec.add(notSupported(podSpec.field("restartPolicy"), policy, ["Always"]));
  if (podSpec.has("activeDeadlineSeconds"))
    podSpec.forbid("activeDeadlineSeconds", `activeDeadlineSeconds in ${kind} is not Supported`);
}

/** Labels and annotations of the pods of a template. */
export function validateTemplateMetadata(template: Checker): void {
  const metadata = template.at("metadata");
  validateLabels(metadata, "labels");
  validateAnnotations(metadata);
}

function claimNames(spec: Checker): readonly string[] {
  return spec.items("volumeClaimTemplates").map((claim) => claim.at("metadata").text("name"));
}

function validateDeploymentStrategy(spec: Checker): void {
  const strategy = spec.at("strategy");
  switch (strategy.text("type")) {
    case "Recreate":
      if (strategy.has("rollingUpdate")) {
        strategy.forbid("rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
      }
      return;
    case "RollingUpdate": {
      const rolling = strategy.maybe("rollingUpdate");
      if (rolling === undefined) strategy.add(requiredField(strategy.field("rollingUpdate")));
      else validateRollingUpdate(rolling);
      return;
    }
    default:
      spec.add(notSupported(strategy.path, strategy.object, ["Recreate", "RollingUpdate"]));
  }
}

function validateRollingUpdate(rolling: Checker): void {
  for (const key of ["maxUnavailable", "maxSurge"]) validateCountOrPercent(rolling, key);
  const isZero = (key: string): boolean => [0, "0%"].includes(rolling.get(key) as number | string);
  if (isZero("maxUnavailable") && isZero("maxSurge")) {
    const detail = "may not be 0 when `maxSurge` is 0";
    rolling.invalid("maxUnavailable", rolling.get("maxUnavailable"), detail);
  }
}

/** A number that is not negative, or a percentage. */
export function validateCountOrPercent(checker: Checker, key: string): void {
  checker.atLeast(key, 0);
  if (typeof checker.get(key) === "string") checker.named(key, percentProblems);
}
