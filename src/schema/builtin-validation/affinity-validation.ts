import { asObject } from "../../json/index.ts";
import { duplicate, invalid, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import {
  labelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import { validateSelector } from "./selector-validation.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Which nodes and pods a pod wants to be near to, or far from. */
export function validateAffinity(affinity: Checker): void {
  const node = affinity.maybe("nodeAffinity");
  const terms = node?.maybe(required);
  if (terms !== undefined) validateNodeSelector(terms);
  for (const term of node?.items(preferred) ?? []) {
    validateWeight(term);
    validateNodeTerm(term.at("preference"), false);
  }
  for (const key of ["podAffinity", "podAntiAffinity"]) {
    const pods = affinity.maybe(key);
    for (const term of pods?.items(required) ?? []) validatePodTerm(term);
    for (const term of pods?.items(preferred) ?? []) {
      validateWeight(term);
      validatePodTerm(term.at("podAffinityTerm"));
    }
  }
}

function validateWeight(term: Checker): void {
  const weight = Number(term.get("weight") ?? 0);
  if (weight < 1 || weight > 100) term.invalid("weight", weight, "must be in the range 1-100");
}

/** Terms of which one must fit a node. */
export function validateNodeSelector(selector: Checker): void {
  selector.require("nodeSelectorTerms", "must have at least one node selector term");
  for (const term of selector.items("nodeSelectorTerms")) validateNodeTerm(term, true);
}

function validateNodeTerm(term: Checker, checksValues: boolean): void {
  for (const each of term.items("matchExpressions")) validateNodeExpression(each, checksValues);
  for (const each of term.items("matchFields")) validateNodeField(each);
}

function validateNodeExpression(expression: Checker, checksValues: boolean): void {
  const values = expression.texts("values");
  switch (expression.text("operator")) {
    case "In":
    case "NotIn":
      if (values.length === 0) {
        const detail = "must be specified when `operator` is 'In' or 'NotIn'";
        expression.require("values", detail);
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        expression.forbid("values", detail);
      }
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        expression.add(requiredField(expression.field("values"), detail));
      }
      break;
    default: {
      const detail = "not a valid selector operator";
      expression.invalid("operator", expression.text("operator"), detail);
    }
  }
  for (const problem of qualifiedNameProblems(expression.text("key")))
    expression.invalid("key", expression.text("key"), problem);
  if (checksValues) expression.eachNamed("values", labelValueProblems);
}

function validateNodeField(field: Checker): void {
  const operator = field.text("operator");
  if (operator !== "In" && operator !== "NotIn") {
    field.invalid("operator", operator, "not a valid selector operator");
  } else if (field.texts("values").length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    field.add(requiredField(field.field("values"), detail));
  }
  if (field.text("key") === "metadata.name") field.eachNamed("values", subdomainProblems);
  else field.invalid("key", field.text("key"), "not a valid field selector key");
}

function validatePodTerm(term: Checker): void {
  for (const key of ["labelSelector", "namespaceSelector"]) {
    const selector = term.maybe(key);
    if (selector !== undefined) validateSelector(selector);
  }
  for (const name of term.texts("namespaces"))
    for (const problem of labelProblems(name)) term.invalid("namespace", name, problem);
  validateLabelKeys(term);
  term.require("topologyKey", "can not be empty");
  for (const problem of qualifiedNameProblems(term.text("topologyKey")))
    term.invalid("topologyKey", term.text("topologyKey"), problem);
}

/** Keys whose values are taken from the labels of the pod itself. */
function validateLabelKeys(term: Checker): void {
  const match = term.texts("matchLabelKeys");
  const mismatch = term.texts("mismatchLabelKeys");
  for (const [key, names] of [
    ["matchLabelKeys", match],
    ["mismatchLabelKeys", mismatch],
  ] as const) {
    if (names.length > 0 && !term.has("labelSelector")) {
      const detail = "must not be specified when labelSelector is not set";
      term.forbid(key, detail);
      continue;
    }
    for (const [index, name] of names.entries()) {
      for (const problem of qualifiedNameProblems(name))
        term.invalid(`${key}[${index}]`, name, problem);
      if (key === "matchLabelKeys" && mismatch.includes(name)) {
        const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
        term.invalid(`${key}[${index}]`, name, detail);
      }
      if (selectorKeys(term).includes(name)) {
        const detail = "exists in both matchLabelKeys and labelSelector";
        term.invalid(`${key}[${index}]`, name, detail);
      }
    }
  }
}

function selectorKeys(term: Checker): readonly string[] {
  const selector = term.at("labelSelector");
  return [
    ...Object.keys(asObject(selector.get("matchLabels")) ?? {}),
    ...selector.items("matchExpressions").map((each) => each.text("key")),
  ];
}

const unsatisfiable = ["DoNotSchedule", "ScheduleAnyway"];
const policies = ["Honor", "Ignore"];

export function validateTopologySpread(spec: Checker): void {
  const constraints = spec.items("topologySpreadConstraints");
  const pairOf = (each: Checker): string =>
    `${each.text("topologyKey")} ${each.text("whenUnsatisfiable")}`;
  for (const [index, each] of constraints.entries()) {
    const action = each.text("whenUnsatisfiable");
    positive(each, "maxSkew", Number(each.get("maxSkew") ?? 0));
    each.require("topologyKey", "can not be empty");
    if (!unsatisfiable.includes(action))
      each.add(notSupported(each.field("whenUnsatisfiable"), action, unsatisfiable));
    if (constraints.slice(index + 1).some((later) => pairOf(later) === pairOf(each))) {
      const shown = `{${each.text("topologyKey")}, ${action}}`;
      each.add(duplicate(each.field("{topologyKey, whenUnsatisfiable}"), shown));
    }
    const domains = each.get("minDomains");
    if (typeof domains === "number") {
      positive(each, "minDomains", domains);
      if (action !== "DoNotSchedule") {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
        each.add(invalid(each.field("minDomains"), domains, detail));
      }
    }
    for (const key of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const policy = each.get(key);
      if (typeof policy === "string" && !policies.includes(policy))
        each.add(notSupported(each.field(key), policy, policies));
    }
    validateLabelKeys(each);
    const selector = each.maybe("labelSelector");
    if (selector !== undefined) validateSelector(selector);
  }
}

function positive(checker: Checker, key: string, value: number): void {
  if (value <= 0) checker.invalid(key, value, "must be greater than zero");
}
