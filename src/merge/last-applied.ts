import {
  type JsonObject,
  type JsonValue,
  parseJson,
  setField,
  isJsonObject,
} from "../json/index.ts";
import { compareValues } from "./compare-values.ts";
import { checkTyped } from "./check-typed.ts";
import type { FieldSet } from "./field-set.ts";
import { goJson } from "./go-json.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypeNode } from "./type-node.ts";
import { metadataOf } from "./written-object.ts";

/** Where client-side apply keeps what it applied last. */
export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** All annotations of an object together, in bytes. */
const annotationsLimit = 256 * 1024;

/**
 * The fields that client-side apply owns by its annotation: those it applied that still have the
 * applied values. `kubectl` may take them over without a conflict.
 */
export function lastAppliedFields(
  type: TypeNode,
  live: JsonObject,
  apiVersion: string,
): FieldSet | undefined {
  const text = annotationOf(live);
  const lastApplied = text === undefined ? undefined : tryParse(text);
  if (!isJsonObject(lastApplied) || lastApplied["apiVersion"] !== apiVersion) return undefined;
  if (checkTyped(type, lastApplied).length > 0) return undefined;
  const { added, modified, removed } = compareValues(type, lastApplied, live);
  return toFieldSet(type, lastApplied).difference(modified).difference(added).difference(removed);
}

/** Keeps the annotation in step with what `kubectl` applies on the server, where there is one. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (annotationOf(object) === undefined) return object;
  const metadata = metadataOf(object);
  const annotations: JsonObject = {
    ...(isJsonObject(metadata["annotations"]) ? metadata["annotations"] : {}),
    [lastAppliedAnnotation]: `${goJson(sortKeys(withoutAnnotation(applied)))}\n`,
  };
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : 0);
  }
  if (size > annotationsLimit) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...metadata, annotations } };
}

function annotationOf(object: JsonObject): string | undefined {
  const annotations = metadataOf(object)["annotations"];
  const value = isJsonObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = metadataOf(applied);
  const annotations = metadata["annotations"];
  if (!isJsonObject(annotations)) return applied;
  const { [lastAppliedAnnotation]: _dropped, ...rest } = annotations;
  return { ...applied, metadata: { ...metadata, annotations: rest } };
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setField(sorted, key, sortKeys(value[key] ?? null));
  return sorted;
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
