import { compareQuantities, quantityNumber } from "../quantity.ts";
import { duplicate, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { qualifiedNameProblems } from "./names.ts";
import {
  canBeOvercommitted,
  isIntegerResource,
  isQuotaResource,
  resourceNameProblems,
} from "./resource-names.ts";

export function validateLimitRange(object: Checker): void {
  const seen = new Set<string>();
  for (const limit of object.at("spec").items("limits")) {
    const type = limit.text("type");
    const problems = qualifiedNameProblems(type);
    for (const problem of problems) limit.invalid("type", type, problem);
    const isStandard = ["Container", "PersistentVolumeClaim", "Pod"].includes(type);
    if (problems.length === 0 && !type.includes("/") && !isStandard)
      limit.invalid("type", type, "must be a standard limit type or fully qualified");
    if (seen.has(type)) limit.add(duplicate(limit.field("type"), type));
    seen.add(type);
    validateLimit(limit, type);
  }
}

function validateLimit(limit: Checker, type: string): void {
  const isOfPods = type === "Pod" || type === "Container";
  const lists = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];
  for (const list of lists) {
    if (type === "Pod" && list.startsWith("default")) {
      if (limit.entries(list).length > 0)
        limit.forbid(list, "may not be specified when `type` is 'Pod'");
      continue;
    }
    for (const [name] of limit.entries(list))
      for (const problem of resourceNameProblems(name, isOfPods ? "container" : "any"))
        limit.invalid(`${list}[${name}]`, name, problem);
  }
  const has = (list: string): boolean => limit.entries(list).some(([name]) => name === "storage");
  if (type === "PersistentVolumeClaim" && !has("min") && !has("max")) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    limit.add(requiredField(limit.field("limits"), detail));
  }
  const names = new Set(
    lists
      .filter((list) => type !== "Pod" || !list.startsWith("default"))
      .flatMap((list) => limit.entries(list).map(([name]) => name)),
  );
  for (const name of names) compareAmounts(limit, type, name);
}

/** Pairs of which the first may not be larger than the second, and the one that is then wrong. */
const ordered = [
  ["min", "max", "min"],
  ["min", "defaultRequest", "defaultRequest"],
  ["defaultRequest", "max", "defaultRequest"],
  ["defaultRequest", "default", "defaultRequest"],
  ["min", "default", "default"],
  ["default", "max", "default"],
] as const;

const spoken: Readonly<Record<string, string>> = {
  min: "min",
  max: "max",
  default: "default",
  defaultRequest: "default request",
};

function compareAmounts(limit: Checker, type: string, name: string): void {
  const amount = (list: string): string | undefined => {
    if (type === "Pod" && list.startsWith("default")) return undefined;
    const value = limit.at(list).get(name);
    return typeof value === "string" ? value : undefined;
  };
  for (const [small, large, wrong] of ordered) {
    const [left, right] = [amount(small), amount(large)];
    if (left === undefined || right === undefined) continue;
    if ((compareQuantities(left, right) ?? 0) <= 0) continue;
    const detail = `${spoken[small] ?? ""} value ${left} is greater than ${spoken[large] ?? ""} value ${right}`;
    limit.invalid(`${wrong}[${name}]`, amount(wrong), detail);
  }
  const ratio = amount("maxLimitRequestRatio");
  if (ratio !== undefined) validateRatio(limit, name, ratio, amount("min"), amount("max"));
  const [given, request] = [amount("default"), amount("defaultRequest")];
  if (!canBeOvercommitted(name) && given !== undefined && request !== undefined)
    if (compareQuantities(given, request) !== 0) {
      const detail = `default value ${given} must equal to defaultRequest value ${request} in ${name}`;
      limit.invalid(`defaultRequest[${name}]`, request, detail);
    }
}

function validateRatio(
  limit: Checker,
  name: string,
  ratio: string,
  least: string | undefined,
  most: string | undefined,
): void {
  const key = `maxLimitRequestRatio[${name}]`;
  if ((compareQuantities(ratio, "1") ?? 0) < 0)
    limit.invalid(key, ratio, `ratio ${ratio} is less than 1`);
  if (least === undefined || most === undefined) return;
  const range = (quantityNumber(most) ?? 0) / (quantityNumber(least) ?? 0);
  if ((quantityNumber(ratio) ?? 0) > range)
    limit.invalid(key, ratio, `ratio ${ratio} is greater than max/min = ${range.toFixed(6)}`);
}

const scopes = [
  "BestEffort",
  "CrossNamespacePodAffinity",
  "NotBestEffort",
  "NotTerminating",
  "PriorityClass",
  "Terminating",
  "VolumeAttributesClass",
];
const conflicting = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function validateResourceQuota(object: Checker): void {
  const spec = object.at("spec");
  const hard = spec.entries("hard");
  for (const [name, amount] of hard) {
    const key = `hard[${name}]`;
    for (const problem of resourceNameProblems(name, "quota")) spec.invalid(key, name, problem);
    if (typeof amount !== "string") continue;
    if ((compareQuantities(amount, "0") ?? 0) < 0)
      spec.invalid(key, amount, "must be greater than or equal to 0");
    if (isIntegerResource(name) && (quantityNumber(amount) ?? 0) % 1 !== 0)
      spec.invalid(key, amount, "must be an integer");
  }
  const names = hard.map(([name]) => name);
  const given = spec.texts("scopes");
  for (const scope of given) {
    if (!scopes.includes(scope)) spec.invalid("scopes", given, "unsupported scope");
    if (names.some((name) => !coversResource(scope, name)))
      spec.invalid("scopes", given, "unsupported scope applied to resource");
  }
  const conflicts = (all: readonly string[]): boolean =>
    conflicting.some((pair) => pair.every((each) => all.includes(each)));
  if (conflicts(given)) spec.invalid("scopes", given, "conflicting scopes");
  const selector = spec.maybe("scopeSelector");
  if (selector === undefined) return;
  const requirements = selector.items("matchExpressions");
  for (const each of requirements) {
    // The server leaves the index out of these paths.
    validateScope(each.moved(selector.field("matchExpressions")), names, selector);
  }
  if (conflicts(requirements.map((each) => each.text("scopeName"))))
    selector.invalid("matchExpressions", given, "conflicting scopes");
}

function validateScope(scope: Checker, resources: readonly string[], selector: Checker): void {
  const name = scope.text("scopeName");
  const operator = scope.text("operator");
  const values = scope.texts("values");
  if (!scopes.includes(name)) scope.invalid("scopeName", name, "unsupported scope");
  if (resources.some((each) => !coversResource(name, each))) {
    const detail = "unsupported scope applied to resource";
    selector.invalid("matchExpressions", selector.object, detail);
  }
  const isPlain = !["PriorityClass", "VolumeAttributesClass"].includes(name);
  if (isPlain && scopes.includes(name) && operator !== "Exists") {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    scope.invalid("operator", operator, detail);
  }
  if (operator === "In" || operator === "NotIn") {
    const detail =
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) scope.add(requiredField(scope.field("values"), detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail =
      "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) scope.invalid("values", values, detail);
  } else scope.invalid("operator", operator, "not a valid selector operator");
}

const compute = /^(?:requests\.|limits\.)?(?:cpu|memory)$/;

/** Whether a scope has a meaning for a resource that Kubernetes itself counts. */
function coversResource(scope: string, resource: string): boolean {
  if (!isQuotaResource(resource)) return true;
  if (scope === "BestEffort") return resource === "pods";
  if (scope === "VolumeAttributesClass")
    return resource === "requests.storage" || resource === "persistentvolumeclaims";
  return !scopes.includes(scope) || resource === "pods" || compute.test(resource);
}
