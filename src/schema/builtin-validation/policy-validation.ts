import { invalid, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { validateSelector } from "./selector-validation.ts";
import { validateCountOrPercent } from "./workload-validation.ts";

export function validateRole(object: Checker): void {
  validateRules(object, true);
}

export function validateClusterRole(object: Checker): void {
  validateRules(object, false);
}

function validateRules(object: Checker, isNamespaced: boolean): void {
  for (const rule of object.items("rules")) {
    rule.require("verbs", "verbs must contain at least one value");
    const urls = rule.get("nonResourceURLs");
    if (Array.isArray(urls) && urls.length > 0) {
      if (isNamespaced) {
        const detail = "namespaced rules cannot apply to non-resource URLs";
        rule.invalid("nonResourceURLs", urls, detail);
      }
      continue;
    }
    rule.require("apiGroups", "resource rules must supply at least one api group");
    rule.require("resources", "resource rules must supply at least one resource");
  }
}

export function validateRoleBinding(object: Checker): void {
  validateBinding(object, ["Role", "ClusterRole"]);
}

export function validateClusterRoleBinding(object: Checker): void {
  validateBinding(object, ["ClusterRole"]);
}

const rbacGroup = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"];

function validateBinding(object: Checker, kinds: readonly string[]): void {
  const reference = object.at("roleRef");
  if (reference.text("apiGroup") !== rbacGroup) reference.oneOf("apiGroup", [rbacGroup]);
  if (!kinds.includes(reference.text("kind"))) {
    reference.add(notSupported(reference.field("kind"), reference.text("kind"), kinds));
  }
  reference.require("name");
  for (const subject of object.items("subjects")) {
    subject.require("name");
    const kind = subject.text("kind");
    if (!subjectKinds.includes(kind)) {
      subject.add(notSupported(subject.field("kind"), kind, subjectKinds));
    }
  }
}

/** The field that describes each type of metric. */
const metricSources: Readonly<Record<string, string>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};
const metricTypes = Object.keys(metricSources);

export function validateHorizontalPodAutoscaler(object: Checker): void {
  const spec = object.at("spec");
  const minimum = Number(spec.get("minReplicas") ?? 1);
  const maximum = Number(spec.get("maxReplicas") ?? 0);
  spec.atLeast("minReplicas", 1);
  if (maximum < 1) {
    spec.add(requiredField(spec.field("maxReplicas"), "must be set and greater than 0"));
  }
  if (maximum < minimum) {
    spec.invalid("maxReplicas", maximum, "must be greater than or equal to `minReplicas`");
  }
  const scalesOnOthers = spec
    .items("metrics")
    .some((metric) => ["Object", "External"].includes(metric.text("type")));
  if (minimum === 0 && !scalesOnOthers) {
    const detail =
      "must specify at least one Object or External metric to support scaling to zero replicas";
    spec.forbid("metrics", detail);
  }
  const target = spec.at("scaleTargetRef");
  target.require("kind");
  target.require("name");
  if (!target.text("apiVersion").includes("/")) {
    target.invalid("apiVersion", target.text("apiVersion"), "apiVersion must specify API group");
  }
  for (const metric of spec.items("metrics")) {
    const type = metric.text("type");
    if (!metricTypes.includes(type)) {
      if (type === "") metric.require("type", "must specify a metric source type");
      metric.add(notSupported(metric.field("type"), type, metricTypes));
      continue;
    }
    validateMetric(metric, type);
  }
}

function validateMetric(metric: Checker, type: string): void {
  const key = metricSources[type] ?? "";
  const others = Object.values(metricSources).filter((each) => each !== key && metric.has(each));
  for (const other of others) metric.forbid(other, "must populate the given metric source only");
  if (others.length > 0) return;
  const source = metric.maybe(key);
  if (source === undefined) {
    metric.require(key, "must populate information for the given metric source");
    return;
  }
  const target = source.at("target");
  if (type === "Resource" || type === "ContainerResource") {
    source.require("name", "must specify a resource name");
    if (!target.has("averageUtilization") && !target.has("averageValue")) {
      const detail = "must set either a target raw value or a target utilization";
      target.require("averageUtilization", detail);
    }
  } else source.at("metric").require("name", "must specify a metric name");
  if (type === "Pods")
    target.require("averageValue", "must specify a positive target averageValue");
  const utilization = target.get("averageUtilization");
  if (typeof utilization === "number" && utilization < 1)
    target.invalid("averageUtilization", utilization, "must be greater than 0");
}

export function validatePodDisruptionBudget(object: Checker): void {
  const spec = object.at("spec");
  if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    object.add(invalid("spec", spec.object, detail));
  }
  validateCountOrPercent(spec, "minAvailable");
  validateCountOrPercent(spec, "maxUnavailable");
  const selector = spec.maybe("selector");
  if (selector !== undefined) validateSelector(selector);
}
