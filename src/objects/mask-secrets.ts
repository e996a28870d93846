import { groupOf } from "./api-version.ts";
import {
  fieldAt,
  withFieldAt,
  isJsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "../json/index.ts";
import { filledFromSecrets, placesAt, withPlaces } from "./filled-from-secrets.ts";
import type { JsonPath } from "./json-path/json-path.ts";
import { secretFieldsOf } from "./secret-fields.ts";
import type { FieldPath } from "./yaml/locate-path.ts";

/** What stands for a value that must not be shown. */
export const maskedValue = "***";
const maskedBefore = "*** (before)";
const maskedAfter = "*** (after)";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const secretFields = ["data", "stringData"] as const;

/**
 * A copy of a value that is safe to print: the values of every Secret in it, however deep in Lists,
 * are masked, and so are the copy that kubectl keeps in an annotation, what apply-time mutations
 * take from Secrets, and the fields that an object itself says are secret. No length and no hash is shown, because a short password can be found from either.
 */
export function maskSecrets<Value>(value: Value, fields: readonly FieldPath[] = []): Value {
  return maskFields(mask(value), fields, () => maskedValue) as Value;
}

/**
 * Two versions of a value, safe to print and still different exactly where a secret differs. `fields`
 * are others that are secret, too.
 */
export function maskSecretsPair<Value>(
  before: Value,
  after: Value,
  fields: readonly FieldPath[] = [],
): { readonly before: Value; readonly after: Value } {
  const masked = maskPair(before, after);
  return {
    before: maskFields(masked[0], fields, differing(before, after, maskedBefore)) as Value,
    after: maskFields(masked[1], fields, differing(after, before, maskedAfter)) as Value,
  };
}

function maskFields(
  value: unknown,
  fields: readonly FieldPath[],
  replacement: Replacement,
): unknown {
  return fields
    .filter((field) => fieldAt(value, ...field) !== undefined)
    .reduce((current, field) => withFieldAt(current, field, () => replacement(field)), value);
}

/** What somebody says of an object, without its secrets that are in no Secret. */
export function maskFilledText(text: string, object: unknown): string {
  const values = [
    ...filledFromSecrets(object).flatMap((path) => placesAt(object, path)),
    ...secretFieldsOf(object).flatMap((path) => (fieldAt(object, ...path) ?? []) as JsonValue),
  ];
  return maskTexts(text, values);
}

/** A text without all that stands in some values; the longest first, which may hold others. */
export function maskTexts(text: string, values: readonly JsonValue[]): string {
  return values
    .flatMap(textsIn)
    .toSorted((left, right) => right.length - left.length)
    .reduce((current, value) => current.replaceAll(value, maskedValue), text);
}

/** What the Secrets among some objects hold, as it stands in them and decoded: none of it may be shown. */
export function secretValues(objects: readonly unknown[]): readonly string[] {
  return objects.filter(isSecret).flatMap((secret) => {
    const encoded = textsIn((fieldAt(secret, "data") ?? []) as JsonValue);
    const plain = textsIn((fieldAt(secret, "stringData") ?? []) as JsonValue);
    return [...encoded, ...encoded.map(decoded), ...plain].filter((text) => text !== "");
  });
}

function decoded(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}

/** All texts and numbers in a value. */
function textsIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text === "" ? [] : [text];
}

/** Whether a value is a Secret of Kubernetes. */
export function isSecret(value: unknown): boolean {
  if (!isJsonObject(value) || value["kind"] !== "Secret") return false;
  const { apiVersion } = value;
  return typeof apiVersion !== "string" || groupOf(apiVersion) === "";
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (!isJsonObject(value)) return value;
  const copy = mapFields(value, (field) => mask(field));
  const masked = isSecret(value) ? maskSecretFields(copy, () => maskedValue) : copy;
  const filled = withPlaces(masked, filledFromSecrets(value), () => maskedValue);
  return maskFields(filled, secretFieldsOf(value), () => maskedValue);
}

function maskPair(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (Array.isArray(before) && Array.isArray(after)) {
    return [
      before.map((item, index) =>
        index < after.length ? maskPair(item, after[index])[0] : mask(item),
      ),
      after.map((item, index) =>
        index < before.length ? maskPair(before[index], item)[1] : mask(item),
      ),
    ];
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return [mask(before), mask(after)];
  const [one, other] = maskNamedPair(before, after, [
    mapFields(before, (field, key) =>
      Object.hasOwn(after, key) ? maskPair(field, after[key])[0] : mask(field),
    ),
    mapFields(after, (field, key) =>
      Object.hasOwn(before, key) ? maskPair(before[key], field)[1] : mask(field),
    ),
  ]);
  if (!isSecret(before) && !isSecret(after)) return [one, other];
  return [
    maskSecretFields(one, differing(before, after, maskedBefore)),
    maskSecretFields(other, differing(after, before, maskedAfter)),
  ];
}

/** Masks in both versions what either of them says is secret. */
function maskNamedPair(
  before: object,
  after: object,
  masked: readonly [Fields, Fields],
): readonly [Fields, Fields] {
  const [one, other] = maskFilledPair(before, after, masked);
  const fields = [...secretFieldsOf(before), ...secretFieldsOf(after)];
  return [
    maskFields(one, fields, differing(before, after, maskedBefore)) as Fields,
    maskFields(other, fields, differing(after, before, maskedAfter)) as Fields,
  ];
}

/** Masks in both versions what either of them takes from Secrets, so that it shows whether it differs. */
function maskFilledPair(
  before: object,
  after: object,
  [one, other]: readonly [Fields, Fields],
): readonly [Fields, Fields] {
  const paths = [...filledFromSecrets(before), ...filledFromSecrets(after)];
  if (paths.length === 0) return [one, other];
  const text =
    (changed: string) =>
    (path: JsonPath): string => {
      const [left, right] = [placesAt(before, path), placesAt(after, path)];
      const same =
        left.length === 0 || right.length === 0 || stringifyJson(left) === stringifyJson(right);
      return same ? maskedValue : changed;
    };
  return [
    withPlaces(one, paths, text(maskedBefore)) as Fields,
    withPlaces(other, paths, text(maskedAfter)) as Fields,
  ];
}

type Fields = Record<string, unknown>;
type Replacement = (path: FieldPath) => string;

/** A mask that shows whether a value differs from the one at the same path of the other version. */
function differing(own: unknown, other: unknown, text: string): Replacement {
  return (path) => {
    const [left, right] = [fieldAt(own, ...path), fieldAt(other, ...path)];
    const same = right === undefined || stringifyJson(left) === stringifyJson(right);
    return same ? maskedValue : text;
  };
}

/** Masks what a Secret holds. */
function maskSecretFields(
  copy: Record<string, unknown>,
  replacement: Replacement,
): Record<string, unknown> {
  for (const field of secretFields) {
    const values = copy[field];
    if (values === undefined || values === null) continue;
    copy[field] = isJsonObject(values)
      ? mapFields(values, (_value, key) => replacement([field, key]))
      : replacement([field]);
  }
  const { metadata } = copy;
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return copy;
  const applied = metadata["annotations"][lastApplied];
  if (applied === undefined) return copy;
  const path = ["metadata", "annotations", lastApplied];
  const annotations = {
    ...metadata["annotations"],
    [lastApplied]: maskApplied(applied, replacement(path)),
  };
  copy["metadata"] = { ...metadata, annotations };
  return copy;
}

function maskApplied(applied: unknown, fallback: string): string {
  if (typeof applied !== "string" || fallback !== maskedValue) return fallback;
  try {
    const parsed: unknown = parseJson(applied);
    // Without its kind it would not be known as a Secret, so nothing of it is shown.
    return isSecret(parsed) ? stringifyJson(mask(parsed)) : fallback;
  } catch {
    return fallback;
  }
}

function mapFields(
  value: object,
  change: (field: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, change(field, key)]));
}
