import { duplicate, forbidden, invalid, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import {
  dns1035Problems,
  identifierProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import { validateSelector } from "./selector-validation.ts";
import { validateMatchConditions, validateRule } from "./webhook-validation.ts";

export function validateValidatingPolicy(object: Checker): void {
  const spec = object.at("spec");
  validatePolicy(spec);
  const [validations, annotations] = [spec.items("validations"), spec.items("auditAnnotations")];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    spec.require("validations", detail);
    spec.require("auditAnnotations", detail);
  }
  for (const validation of validations) validateValidation(validation);
  spec.unique("auditAnnotations", "key");
  for (const annotation of annotations) {
    const key = annotation.text("key");
    const full = `${object.at("metadata").text("name")}/${key}`;
    for (const problem of qualifiedNameProblems(full)) annotation.invalid("key", full, problem);
    if (annotation.text("valueExpression").trim() === "") {
      const detail = "valueExpression is not specified";
      annotation.add(requiredField(annotation.field("valueExpression"), detail));
    }
  }
}

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized"];

function validateValidation(validation: Checker): void {
  if (validation.text("expression").trim() === "")
    validation.add(requiredField(validation.field("expression"), "expression is not specified"));
  for (const key of ["message", "messageExpression"]) {
    const text = validation.text(key);
    if (text !== "" && text.trim() === "")
      validation.invalid(key, text, "must be non-empty if specified");
  }
  const message = validation.text("message").trim();
  if (message.includes("\n"))
    validation.invalid("message", message, "must not contain line breaks");
  validation.supported("reason", reasons);
}

export function validateMutatingPolicy(object: Checker): void {
  const spec = object.at("spec");
  validatePolicy(spec);
  spec.requireOneOf("reinvocationPolicy", ["IfNeeded", "Never"]);
  spec.require("mutations", "mutations must contain at least one item");
  for (const mutation of spec.items("mutations")) validateMutation(mutation);
}

const patches: Readonly<Record<string, string>> = {
  ApplyConfiguration: "applyConfiguration",
  JSONPatch: "jsonPatch",
};

function validateMutation(mutation: Checker): void {
  const type = mutation.text("patchType");
  const own = patches[type];
  mutation.requireOneOf("patchType", Object.keys(patches));
  for (const [name, key] of Object.entries(patches)) {
    const patch = mutation.maybe(key);
    if (key === own) {
      if (patch === undefined) mutation.require(key, `must be specified when patchType is ${name}`);
      else if (patch.text("expression").trim() === "")
        patch.add(requiredField(patch.field("expression"), "expression is not specified"));
    } else if (own !== undefined && patch !== undefined)
      mutation.invalid(key, `{${key}}`, `must not be specified when patchType is ${type}`);
  }
}

/** What policies that judge and those that change have in common. */
function validatePolicy(spec: Checker): void {
  spec.supported("failurePolicy", ["Fail", "Ignore"]);
  const kind = spec.maybe("paramKind");
  if (kind !== undefined) validateParamKind(kind);
  const match = spec.maybe("matchConstraints");
  if (match === undefined) spec.require("matchConstraints");
  else {
    validateMatch(match);
    match.require("resourceRules");
  }
  validateMatchConditions(spec);
  for (const variable of spec.items("variables")) {
    const name = variable.text("name");
    if (name.trim() === "")
      variable.add(requiredField(variable.field("name"), "name is not specified"));
    else if (identifierProblems(name).length > 0)
      variable.invalid("name", name, "must be a valid CEL identifier");
    if (variable.text("expression").trim() === "")
      variable.add(requiredField(variable.field("expression"), "expression is not specified"));
  }
}

function validateParamKind(kind: Checker): void {
  const version = kind.text("apiVersion");
  if (kind.require("apiVersion")) {
    const parts = version.split("/");
    if (parts.length > 2)
      kind.invalid("apiVersion", version, `unexpected GroupVersion string: ${version}`);
    else {
      const [group, name] = parts.length === 2 ? parts : ["", version];
      if (group !== "")
        for (const problem of subdomainProblems(group ?? ""))
          kind.invalid("apiVersion", group, problem);
      for (const problem of dns1035Problems(name ?? "")) kind.invalid("apiVersion", name, problem);
    }
  }
  if (!kind.require("kind")) return;
  for (const problem of dns1035Problems(kind.text("kind").toLowerCase())) {
    const detail = `may have mixed case, but should otherwise match: ${problem}`;
    kind.invalid("kind", kind.text("kind"), detail);
  }
}

function validateMatch(match: Checker): void {
  match.supported("matchPolicy", ["Equivalent", "Exact"]);
  for (const key of ["namespaceSelector", "objectSelector"]) {
    const selector = match.maybe(key);
    if (selector !== undefined) validateSelector(selector);
  }
  for (const key of ["resourceRules", "excludeResourceRules"])
    for (const rule of match.items(key)) {
      validateRule(rule);
      const names = rule.texts("resourceNames");
      for (const [index, name] of names.entries()) {
        const at = `resourceNames[${index}]`;
        for (const problem of pathSegmentProblems(name)) rule.invalid(at, name, problem);
        if (names.indexOf(name) < index) rule.add(duplicate(rule.field(at), name));
      }
    }
}

const actions = ["Audit", "Deny", "Warn"];

export function validateValidatingBinding(object: Checker): void {
  validateBinding(object.at("spec"));
  const spec = object.at("spec");
  spec.require("validationActions", "at least one validation action is required");
  const given = spec.texts("validationActions");
  for (const [index, action] of given.entries()) {
    const at = spec.field(`validationActions[${index}]`);
    if (!actions.includes(action)) spec.add(notSupported(at, action, actions));
    if (given.indexOf(action) < index) spec.add(duplicate(at, action));
  }
  if (given.includes("Deny") && given.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    spec.add(invalid(spec.field("validationActions"), given, detail));
  }
}

export function validateMutatingBinding(object: Checker): void {
  validateBinding(object.at("spec"));
}

function validateBinding(spec: Checker): void {
  spec.requireNamed("policyName", subdomainProblems);
  const reference = spec.maybe("paramRef");
  if (reference !== undefined) validateParamRef(reference);
  const match = spec.maybe("matchResources");
  if (match !== undefined) validateMatch(match);
}

function validateParamRef(reference: Checker): void {
  const [name, selector] = [reference.text("name"), reference.maybe("selector")];
  reference.named("name", pathSegmentProblems);
  if (selector !== undefined) validateSelector(selector);
  if (name !== "" && selector !== undefined)
    for (const key of ["name", "selector"])
      reference.add(forbidden(reference.field(key), "name and selector are mutually exclusive"));
  if (name === "" && selector === undefined)
    reference.add(requiredField(reference.path, "one of name or selector must be specified"));
  if (!reference.has("parameterNotFoundAction")) reference.require("parameterNotFoundAction");
  else reference.supported("parameterNotFoundAction", ["Deny", "Allow"]);
}
