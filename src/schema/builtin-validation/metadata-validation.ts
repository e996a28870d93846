import { asObject, type JsonObject } from "../../json/index.ts";
import { Checker } from "./checker.ts";
import {
  finalizerProblems,
  labelValueProblems,
  type NameRule,
  qualifiedNameProblems,
} from "./names.ts";
import { type FieldError, requiredField } from "../field-error.ts";

const annotationsLimit = 256 * 1024;

interface MetadataRules {
  readonly nameRule: NameRule;
  /** Whether finalizers are those of Kubernetes itself, or have a path. */
  readonly hasKnownFinalizers: boolean;
  /** The rule for the start of a generated name. */
  readonly generateNameRule: NameRule;
}

/** What is wrong with the metadata of an object of any kind. */
export function validateMetadata(
  object: JsonObject,
  { nameRule, hasKnownFinalizers, generateNameRule }: MetadataRules,
): readonly FieldError[] {
  const metadata = new Checker(object).at("metadata");
  metadata.named("generateName", (name) => generateNameRule(name.replace(/-$/, "a")));
  if (metadata.text("name") === "") {
    metadata.add(requiredField(metadata.field("name"), "name or generateName is required"));
  } else metadata.named("name", nameRule);
  validateLabels(metadata, "labels");
  validateAnnotations(metadata);
  for (const reference of metadata.items("ownerReferences")) validateOwner(reference, metadata);
  validateControllers(metadata);
  validateFinalizers(metadata, hasKnownFinalizers);
  return metadata.errors;
}

/** What may not change in metadata. */
export function validateMetadataUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const metadata = new Checker(object).at("metadata");
  const before = asObject(old["metadata"]) ?? {};
  // Of the other fields that the server sets, it takes its own value whatever is sent.
  for (const key of ["name", "namespace", "deletionTimestamp"]) {
    const value = metadata.get(key);
    if ((value ?? null) !== (before[key] ?? null)) {
      metadata.invalid(key, value, "field is immutable");
    }
  }
  return metadata.errors;
}

/** Keys and values of a map of labels. */
export function validateLabels(checker: Checker, key: string): void {
  for (const [name, value] of Object.entries(asObject(checker.get(key)) ?? {})) {
    for (const problem of qualifiedNameProblems(name)) checker.invalid(key, name, problem);
    if (typeof value !== "string") continue;
    for (const problem of labelValueProblems(value)) checker.invalid(key, value, problem);
  }
}

/** Keys of annotations, and the size of all of them. */
export function validateAnnotations(metadata: Checker): void {
  let size = 0;
  for (const [name, value] of Object.entries(asObject(metadata.get("annotations")) ?? {})) {
    for (const problem of qualifiedNameProblems(name.toLowerCase())) {
      metadata.invalid("annotations", name, problem);
    }
    size += Buffer.byteLength(name) + (typeof value === "string" ? Buffer.byteLength(value) : 0);
  }
  if (size > annotationsLimit) {
    metadata.add({
      type: "FieldValueTooLong",
      field: metadata.field("annotations"),
      detail: `Too long: may not be more than ${annotationsLimit} bytes`,
    });
  }
}

function validateOwner(reference: Checker, metadata: Checker): void {
  const parts = reference.text("apiVersion").split("/");
  const version = parts.length > 2 ? "" : (parts.at(-1) ?? "");
  // The server leaves the index out of these paths.
  if (version === "") {
    const text = reference.text("apiVersion");
    metadata.invalid("ownerReferences.apiVersion", text, "version must not be empty");
  }
  for (const key of ["kind", "name", "uid"]) {
    if (reference.text(key) === "") {
      metadata.invalid(`ownerReferences.${key}`, "", "must not be empty");
    }
  }
}

function validateControllers(metadata: Checker): void {
  const controllers = metadata
    .items("ownerReferences")
    .filter((reference) => reference.get("controller") === true)
    .map((reference) => `${reference.text("kind")}/${reference.text("name")}`);
  if (controllers.length < 2) return;
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${controllers[1]}`;
  metadata.invalid("ownerReferences", metadata.get("ownerReferences"), detail);
}

function validateFinalizers(metadata: Checker, areKnown: boolean): void {
  const finalizers = metadata.get("finalizers");
  if (!Array.isArray(finalizers)) return;
  for (const [index, finalizer] of finalizers.entries()) {
    if (typeof finalizer !== "string") continue;
    // The server leaves the index out of this path.
    for (const problem of qualifiedNameProblems(finalizer))
      metadata.invalid("finalizers", finalizer, problem);
    const [unknown] = finalizerProblems(finalizer).slice(qualifiedNameProblems(finalizer).length);
    if (areKnown && unknown !== undefined)
      metadata.invalid(`finalizers[${index}]`, finalizer, unknown);
  }
}
