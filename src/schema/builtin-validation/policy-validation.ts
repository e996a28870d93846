import { invalid, notSupported } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { pathSegmentProblems, subdomainProblems } from "./names.ts";
import { validateSelector } from "./selector-validation.ts";
import { atMostAll, validateCountOrPercent } from "./workload-validation.ts";

export function validateRole(object: Checker): void {
  validateRules(object, true);
}

export function validateClusterRole(object: Checker): void {
  validateRules(object, false);
  const aggregation = object.maybe("aggregationRule");
  if (aggregation === undefined) return;
  const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  aggregation.require("clusterRoleSelectors", detail);
  for (const selector of aggregation.items("clusterRoleSelectors")) {
    if (validateSelector(selector)) continue;
    aggregation.invalid("clusterRoleSelectors", selector.object, "invalid label selector");
  }
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
      if (["apiGroups", "resources", "resourceNames"].some((key) => rule.texts(key).length > 0)) {
        const detail = "rules cannot apply to both regular resources and non-resource URLs";
        rule.invalid("nonResourceURLs", urls, detail);
      }
      continue;
    }
    rule.require("apiGroups", "resource rules must supply at least one api group");
    rule.require("resources", "resource rules must supply at least one resource");
  }
}

export function validateRoleBinding(object: Checker): void {
  validateBinding(object, ["Role", "ClusterRole"], true);
}

export function validateClusterRoleBinding(object: Checker): void {
  validateBinding(object, ["ClusterRole"], false);
}

const rbacGroup = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"];

function validateBinding(object: Checker, kinds: readonly string[], isNamespaced: boolean): void {
  const reference = object.at("roleRef");
  if (reference.text("apiGroup") !== rbacGroup) reference.oneOf("apiGroup", [rbacGroup]);
  if (!kinds.includes(reference.text("kind"))) {
    reference.add(notSupported(reference.field("kind"), reference.text("kind"), kinds));
  }
  reference.requireNamed("name", pathSegmentProblems);
  for (const subject of object.items("subjects")) validateSubject(subject, isNamespaced);
}

function validateSubject(subject: Checker, isNamespaced: boolean): void {
  subject.require("name");
  const kind = subject.text("kind");
  const group = subject.text("apiGroup");
  switch (kind) {
    case "ServiceAccount":
      subject.named("name", subdomainProblems);
      if (group !== "") subject.add(notSupported(subject.field("apiGroup"), group, [""]));
      if (!isNamespaced) subject.require("namespace");
      return;
    case "User":
    case "Group":
      if (group !== rbacGroup)
        subject.add(notSupported(subject.field("apiGroup"), group, [rbacGroup]));
      return;
    default:
      subject.add(notSupported(subject.field("kind"), kind, subjectKinds));
  }
}

export function validatePodDisruptionBudget(object: Checker): void {
  const spec = object.at("spec");
  if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    object.add(invalid("spec", spec.object, detail));
  }
  for (const key of ["minAvailable", "maxUnavailable"]) {
    validateCountOrPercent(spec, key);
    atMostAll(spec, key);
  }
  spec.supported("unhealthyPodEvictionPolicy", ["AlwaysAllow", "IfHealthyBudget"]);
  const selector = spec.maybe("selector");
  if (selector !== undefined) validateSelector(selector);
}
