import { asObject, type JsonObject } from "../../json/index.ts";
import { notSupported, requiredField } from "../field-error.ts";
import { Checker } from "./checker.ts";
import { validateAnnotations, validateLabels } from "./metadata-validation.ts";
import { labelProblems, percentProblems } from "./names.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { validateClaimSpec } from "./storage-validation.ts";
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
  validateStatefulStrategy(spec);
  const retention = spec.maybe("persistentVolumeClaimRetentionPolicy");
  for (const key of ["whenDeleted", "whenScaled"])
    if (retention !== undefined && !["Retain", "Delete"].includes(retention.text(key)))
      retention.add(notSupported(retention.field(key), retention.text(key), ["Retain", "Delete"]));
  spec.maybe("ordinals")?.atLeast("start", 0);
  spec.named("serviceName", labelProblems);
  for (const claim of spec.items("volumeClaimTemplates")) {
    validateClaimSpec(claim.at("spec"));
  }
  spec.atLeast("replicas", 0);
  spec.atLeast("minReadySeconds", 0);
  validateTemplateSelector(spec, "statefulset");
  validateTemplate(spec, "StatefulSet", claimNames(spec));
}

function validateStatefulStrategy(spec: Checker): void {
  const strategy = spec.at("updateStrategy");
  const type = strategy.text("type");
  const rolling = strategy.maybe("rollingUpdate");
  if (type === "") strategy.require("type");
  else if (type === "OnDelete" && rolling !== undefined) {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    strategy.invalid("rollingUpdate", rolling.object, detail);
  } else if (type === "RollingUpdate" && rolling !== undefined) {
    rolling.atLeast("partition", 0);
    validateCountOrPercent(rolling, "maxUnavailable");
    atMostAll(rolling, "maxUnavailable");
  } else if (type !== "RollingUpdate" && type !== "OnDelete")
    spec.invalid("updateStrategy", strategy.object, "must be 'RollingUpdate' or 'OnDelete'");
}

export function validateDaemonSet(object: Checker): void {
  const spec = object.at("spec");
  validateTemplateSelector(spec, "daemonset");
  validateTemplate(spec, "DaemonSet");
  spec.atLeast("minReadySeconds", 0);
  spec.atLeast("revisionHistoryLimit", 0);
  const strategy = spec.at("updateStrategy");
  const allowed = ["RollingUpdate", "OnDelete"];
  const rolling = strategy.maybe("rollingUpdate");
  if (!allowed.includes(strategy.text("type"))) {
    spec.add(notSupported(strategy.path, strategy.object, allowed));
  } else if (strategy.text("type") === "RollingUpdate") {
    if (rolling === undefined) strategy.add(requiredField(strategy.field("rollingUpdate")));
    else validateDaemonUpdate(rolling);
  }
}

/** Of a daemon set, one of the two numbers is zero. */
function validateDaemonUpdate(rolling: Checker): void {
  for (const key of ["maxUnavailable", "maxSurge"]) {
    validateCountOrPercent(rolling, key);
    atMostAll(rolling, key);
  }
  const isZero = (key: string): boolean => countOf(rolling, key) === 0;
  if (isZero("maxUnavailable") && isZero("maxSurge"))
    rolling.add(requiredField(rolling.field("maxUnavailable"), "cannot be 0 when maxSurge is 0"));
  if (!isZero("maxUnavailable") && !isZero("maxSurge")) {
    const detail = "may not be set when maxUnavailable is non-zero";
    rolling.invalid("maxSurge", rolling.get("maxSurge"), detail);
  }
}

/** A number or a percentage as one number; a text that is neither is zero. */
function countOf(checker: Checker, key: string): number {
  const value = checker.get(key);
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+%$/.test(value) ? Number(value.slice(0, -1)) : 0;
}

/** A percentage of no more than all. */
export function atMostAll(checker: Checker, key: string): void {
  const value = checker.get(key);
  if (typeof value === "string" && countOf(checker, key) > 100)
    checker.invalid(key, value, "must not be greater than 100%");
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
  validatePodSpec(withClaims(podSpec, claims));
  const policy = podSpec.text("restartPolicy");
  if (policy !== "Always" && policy !== "")
    podSpec.add(notSupported(podSpec.field("restartPolicy"), policy, ["Always"]));
  if (podSpec.has("activeDeadlineSeconds"))
    podSpec.forbid("activeDeadlineSeconds", `activeDeadlineSeconds in ${kind} is not Supported`);
}

/** Labels and annotations of the pods of a template. */
export function validateTemplateMetadata(template: Checker): void {
  // The server leaves the metadata out of these paths.
  const metadata = template.at("metadata").moved(template.path);
  validateLabels(metadata, "labels");
  validateAnnotations(metadata);
}

function claimNames(spec: Checker): readonly string[] {
  return spec.items("volumeClaimTemplates").map((claim) => claim.at("metadata").text("name"));
}

/** The spec with the claims as its first volumes, in place of volumes of the same names. */
function withClaims(podSpec: Checker, claims: readonly string[]): Checker {
  if (claims.length === 0) return podSpec;
  const others = podSpec
    .items("volumes")
    .filter((volume) => !claims.includes(volume.text("name")))
    .map(({ object }) => object);
  const own = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return new Checker(
    { ...podSpec.object, volumes: [...own, ...others] },
    podSpec.path,
    podSpec.errors,
  );
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
  atMostAll(rolling, "maxUnavailable");
  const isZero = (key: string): boolean => countOf(rolling, key) === 0;
  if (isZero("maxUnavailable") && isZero("maxSurge")) {
    const detail = "may not be 0 when `maxSurge` is 0";
    rolling.invalid("maxUnavailable", rolling.get("maxUnavailable"), detail);
  }
}

/** A number that is not negative, or a percentage. */
export function validateCountOrPercent(checker: Checker, key: string): void {
  checker.atLeast(key, 0);
  if (typeof checker.get(key) === "string") checker.namedIfSet(key, percentProblems);
}
