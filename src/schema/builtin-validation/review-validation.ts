import { invalid, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { validateOperator, validateRequirement } from "./selector-validation.ts";

/** Reviews are asked and not kept: they have no metadata but, for those of a namespace, that one. */
export function validateAccessReview(object: Checker): void {
  const spec = object.at("spec");
  validateAttributes(spec);
  requireSubject(spec);
  requireNoMetadata(object, []);
}

function requireSubject(spec: Checker): void {
  if (spec.text("user") !== "" || spec.texts("groups").length > 0) return;
  spec.invalid("user", "", "at least one of user or group must be specified");
}

export function validateSelfAccessReview(object: Checker): void {
  validateAttributes(object.at("spec"));
  requireNoMetadata(object, []);
}

export function validateLocalAccessReview(object: Checker): void {
  const spec = object.at("spec");
  validateAttributes(spec);
  requireSubject(spec);
  requireNoMetadata(object, ["namespace"]);
  const asked = spec.maybe("resourceAttributes");
  const namespace = object.at("metadata").text("namespace");
  if (asked !== undefined && asked.text("namespace") !== namespace)
    asked.invalid("namespace", asked.text("namespace"), "must match metadata.namespace");
  if (spec.has("nonResourceAttributes"))
    spec.forbid("nonResourceAttributes", "disallowed on this kind of request");
}

function validateAttributes(spec: Checker): void {
  const [resource, other] = [spec.maybe("resourceAttributes"), spec.has("nonResourceAttributes")];
  if (resource !== undefined && other) {
    const detail = "cannot be specified in combination with resourceAttributes";
    spec.invalid("nonResourceAttributes", spec.get("nonResourceAttributes"), detail);
  }
  if (resource === undefined && !other)
    spec.invalid(
      "resourceAttributes",
      null,
      "exactly one of nonResourceAttributes or resourceAttributes must be specified",
    );
  if (resource === undefined) return;
  for (const key of ["fieldSelector", "labelSelector"]) {
    const selector = resource.maybe(key);
    if (selector !== undefined) validateSelectorAttributes(selector);
  }
}

function validateSelectorAttributes(selector: Checker): void {
  const raw = selector.text("rawSelector");
  const requirements = selector.items("requirements");
  if (raw !== "" && requirements.length > 0)
    selector.invalid("rawSelector", raw, "may not specified at the same time as requirements");
  if (raw === "" && requirements.length === 0) {
    const detail = `when ${selector.path} is specified, requirements or rawSelector is required`;
    selector.add(requiredField(selector.field("requirements"), detail));
  }
  for (const each of requirements) {
    if (selector.path.endsWith("labelSelector")) validateRequirement(each, true);
    else {
      each.require("key", "must be specified");
      validateOperator(each, true);
    }
  }
}

function requireNoMetadata(object: Checker, allowed: readonly string[]): void {
  const known = [
    "annotations",
    "finalizers",
    "generateName",
    "labels",
    "name",
    "namespace",
    "ownerReferences",
  ];
  const given = known.filter((key) => !allowed.includes(key) && isSet(object.at("metadata"), key));
  if (given.length === 0) return;
  const detail = `must be empty${allowed.length === 0 ? "" : " except for namespace"}`;
  object.add(invalid("metadata", object.get("metadata"), detail));
}

function isSet(metadata: Checker, key: string): boolean {
  return (
    metadata.text(key) !== "" || metadata.entries(key).length > 0 || metadata.items(key).length > 0
  );
}
