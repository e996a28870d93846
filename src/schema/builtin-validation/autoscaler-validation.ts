import { compareQuantities } from "../quantity.ts";
import { forbidden, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { labelProblems, pathSegmentProblems } from "./names.ts";
import { resourceNameProblems } from "./resource-names.ts";

/** The field that describes each type of metric, in the order in which the server looks for them. */
const metricSources: Readonly<Record<string, string>> = {
  Object: "object",
  External: "external",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
};
const metricTypes = Object.keys(metricSources).sort();

export function validateHorizontalPodAutoscaler(object: Checker): void {
  const spec = object.at("spec");
  const minimum = Number(spec.get("minReplicas") ?? 1);
  const maximum = Number(spec.get("maxReplicas") ?? 0);
  spec.atLeast("minReplicas", 1);
  if (maximum === 0)
    spec.add(requiredField(spec.field("maxReplicas"), "must be set and greater than 0"));
  spec.atLeast("maxReplicas", maximum === 0 ? 0 : 1);
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
  validateReference(spec.at("scaleTargetRef"), false);
  for (const metric of spec.items("metrics")) validateMetric(metric);
  for (const direction of ["scaleUp", "scaleDown"]) {
    const rules = spec.at("behavior").maybe(direction);
    if (rules !== undefined) validateScalingRules(rules);
  }
}

function validateReference(reference: Checker, takesNoGroup: boolean): void {
  for (const key of ["kind", "name"]) reference.requireNamed(key, pathSegmentProblems);
  const version = reference.text("apiVersion");
  if (version.split("/").length > 2)
    reference.invalid("apiVersion", version, `unexpected GroupVersion string: ${version}`);
  else if (!takesNoGroup && !/^[^/]+\//.test(version))
    reference.invalid("apiVersion", version, "apiVersion must specify API group");
}

const longestWindow = 3600;
const longestPeriod = 1800;

function validateScalingRules(rules: Checker): void {
  const window = rules.get("stabilizationWindowSeconds");
  if (typeof window === "number" && window < 0)
    rules.invalid("stabilizationWindowSeconds", window, "must be greater than or equal to zero");
  if (typeof window === "number" && window > longestWindow) {
    const detail = `must be less than or equal to ${longestWindow}`;
    rules.invalid("stabilizationWindowSeconds", window, detail);
  }
  rules.supported("selectPolicy", ["Disabled", "Max", "Min"]);
  rules.require("policies", "must specify at least one Policy");
  for (const policy of rules.items("policies")) {
    const types = ["Percent", "Pods"];
    if (!types.includes(policy.text("type")))
      policy.add(notSupported(policy.field("type"), policy.text("type"), types));
    for (const key of ["value", "periodSeconds"]) {
      const number = Number(policy.get(key) ?? 0);
      if (number <= 0) policy.invalid(key, number, "must be greater than zero");
    }
    const period = Number(policy.get("periodSeconds") ?? 0);
    if (period > longestPeriod)
      policy.invalid("periodSeconds", period, `must be less than or equal to ${longestPeriod}`);
  }
  const tolerance = rules.get("tolerance");
  if (typeof tolerance === "string" && (compareQuantities(tolerance, "0") ?? 0) < 0)
    rules.invalid("tolerance", tolerance, "must be greater than or equal to 0");
}

function validateMetric(metric: Checker): void {
  const type = metric.text("type");
  const expected = metricSources[type];
  if (type === "") metric.require("type", "must specify a metric source type");
  if (expected === undefined) metric.add(notSupported(metric.field("type"), type, metricTypes));
  const present = Object.values(metricSources).filter((key) => metric.has(key));
  const [first] = present;
  if (first !== undefined) validateSource(metric.at(first), first);
  if (expected !== undefined && !metric.has(expected))
    metric.require(expected, "must populate information for the given metric source");
  if (present.length === 1) return;
  for (const other of present.filter((key) => key !== expected))
    metric.forbid(other, "must populate the given metric source only");
}

const amounts: Readonly<Record<string, readonly [key: string, other: string]>> = {
  object: ["averageValue", "value"],
  external: ["averageValue", "value"],
  pods: ["averageValue", "averageValue"],
  resource: ["averageUtilization", "averageValue"],
  containerResource: ["averageUtilization", "averageValue"],
};

const missingAmount: Readonly<Record<string, string>> = {
  object: "must set either a target value or averageValue",
  external: "must set either a target value for metric or a per-pod target",
  pods: "must specify a positive target averageValue",
  resource: "must set either a target raw value or a target utilization",
  containerResource: "must set either a target raw value or a target utilization",
};

function validateSource(source: Checker, kind: string): void {
  const isResource = kind === "resource" || kind === "containerResource";
  if (kind === "object") validateReference(source.at("describedObject"), true);
  if (isResource) source.require("name", "must specify a resource name");
  else {
    const metric = source.at("metric");
    metric.requireNamed("name", pathSegmentProblems, "must specify a metric name");
  }
  if (kind === "containerResource") {
    const name = source.text("name");
    if (name !== "")
      for (const problem of resourceNameProblems(name, "container"))
        source.invalid("name", name, problem);
    source.requireNamed("container", labelProblems, "must specify a container");
  }
  const target = source.at("target");
  validateTarget(target);
  const [key, other] = amounts[kind] ?? ["", ""];
  if (!target.has(key) && !target.has(other)) target.require(key, missingAmount[kind] ?? "");
  if (kind === "object" || key === other || !target.has(key) || !target.has(other)) return;
  const both = isResource
    ? "may not set both a target raw value and a target utilization"
    : "may not set both a target value for metric and a per-pod target";
  target.add(forbidden(target.field(isResource ? "averageValue" : "value"), both));
}

function validateTarget(target: Checker): void {
  const type = target.text("type");
  if (type === "") target.require("type", "must specify a metric target type");
  if (!["Utilization", "Value", "AverageValue"].includes(type))
    target.invalid("type", type, "must be either Utilization, Value, or AverageValue");
  for (const key of ["value", "averageValue"]) {
    const amount = target.get(key);
    if (typeof amount === "string" && (compareQuantities(amount, "0") ?? 0) <= 0)
      target.invalid(key, amount, "must be positive");
  }
  const utilization = target.get("averageUtilization");
  if (typeof utilization === "number" && utilization < 1)
    target.invalid("averageUtilization", utilization, "must be greater than 0");
}
