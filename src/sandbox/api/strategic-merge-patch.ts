import {
  type JsonObject,
  type JsonValue,
  stringifyJson,
  ownField,
  setField,
  isJsonObject,
} from "../../json/index.ts";
import type { Schema } from "../../schema/index.ts";
import { badRequest } from "./status.ts";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deleteFrom = "$deleteFromPrimitiveList/";
const elementOrder = "$setElementOrder/";

/** Applies a strategic merge patch: lists whose schema names a merge key merge by it. */
export function applyStrategicMergePatch(
  value: JsonValue,
  patch: JsonValue,
  schema: Schema | undefined,
): JsonValue {
  if (!isJsonObject(patch)) return patch;
  return mergeMap(isJsonObject(value) ? value : {}, patch, schema);
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const instruction = patch[directive];
  if (instruction === "replace") return withoutDirectives(patch);
  if (instruction === "delete") return {};
  const result: JsonObject = retained(original, patch[retainKeys]);
  for (const [key, change] of Object.entries(patch)) {
    if (key === directive || key === retainKeys) continue;
    if (key.startsWith(deleteFrom)) removePrimitives(result, key.slice(deleteFrom.length), change);
    else if (key.startsWith(elementOrder)) continue;
    else if (change === null) delete result[key];
    else
      setField(
        result,
        key,
        mergeValue(
          ownField(result, key),
          change,
          childSchema(schema, key),
          patch[`${elementOrder}${key}`],
        ),
      );
  }
  return result;
}

function mergeValue(
  original: JsonValue | undefined,
  change: JsonValue,
  schema: Schema | undefined,
  order: JsonValue | undefined,
): JsonValue {
  if (isJsonObject(change)) {
    const isReplaced = schema?.patchStrategy?.split(",").includes("replace") ?? false;
    return isJsonObject(original) && !isReplaced
      ? mergeMap(original, change, schema)
      : withoutDirectives(dropNulls(change) as JsonObject);
  }
  if (!Array.isArray(change)) return change;
  const strategy = schema?.patchStrategy?.split(",") ?? [];
  if (!strategy.includes("merge")) return change;
  const existing = Array.isArray(original) ? original : [];
  const key = schema?.patchMergeKey;
  const merged =
    key === undefined || key === ""
      ? mergePrimitives(existing, change)
      : mergeByKey(existing, change, key, schema?.items);
  return ordered(merged, Array.isArray(order) ? order : change, existing, key);
}

function mergeByKey(
  existing: readonly JsonValue[],
  change: readonly JsonValue[],
  key: string,
  items: Schema | undefined,
): JsonValue[] {
  if (change.some((item) => isJsonObject(item) && item[directive] === "replace")) {
    return change.filter((item) => !(isJsonObject(item) && item[directive] === "replace"));
  }
  let result = [...existing];
  for (const item of change) {
    if (!isJsonObject(item))
      throw badRequest("error decoding patch: a list that merges by key holds objects");
    const value = item[key];
    if (item[directive] === "delete") {
      result = result.filter((each) => !(isJsonObject(each) && each[key] === value));
      continue;
    }
    if (value === undefined) {
      throw badRequest(`map: ${stringifyJson(item)} does not contain declared merge key: ${key}`);
    }
    const index = result.findIndex((each) => isJsonObject(each) && each[key] === value);
    const found = result[index];
    if (index >= 0 && isJsonObject(found)) result[index] = mergeMap(found, item, items);
    else result.push(withoutDirectives(dropNulls(item) as JsonObject));
  }
  return result;
}

function mergePrimitives(
  existing: readonly JsonValue[],
  change: readonly JsonValue[],
): JsonValue[] {
  return [...existing, ...change.filter((value) => !existing.includes(value))];
}

function removePrimitives(result: JsonObject, key: string, values: JsonValue): void {
  const list = ownField(result, key);
  if (Array.isArray(list) && Array.isArray(values))
    result[key] = list.filter((value) => !values.includes(value));
}

/**
 * The order of a merged list: the elements that the patch names in its order, the others in theirs. An
 * element that the patch does not name stays before a named one only if it stood there before.
 */
function ordered(
  merged: readonly JsonValue[],
  order: readonly JsonValue[],
  existing: readonly JsonValue[],
  key: string | undefined,
): JsonValue[] {
  const keyOf = (value: JsonValue): JsonValue | undefined =>
    key !== undefined && isJsonObject(value) ? value[key] : value;
  const positions = (list: readonly JsonValue[]): ReadonlyMap<JsonValue | undefined, number> =>
    new Map(list.map((value, index) => [keyOf(value), index]));
  const wanted = positions(order);
  const before = positions(existing);
  const rank = (map: ReadonlyMap<JsonValue | undefined, number>, value: JsonValue): number =>
    map.get(keyOf(value)) ?? map.size;
  const named = merged
    .filter((value) => wanted.has(keyOf(value)))
    .sort((left, right) => rank(wanted, left) - rank(wanted, right));
  const others = merged
    .filter((value) => !wanted.has(keyOf(value)))
    .sort((left, right) => rank(before, left) - rank(before, right));
  const result: JsonValue[] = [];
  while (named.length > 0 && others.length > 0) {
    const [nextNamed = null] = named;
    const [nextOther = null] = others;
    const stoodBefore =
      before.has(keyOf(nextNamed)) && rank(before, nextOther) < rank(before, nextNamed);
    result.push(stoodBefore ? nextOther : nextNamed);
    (stoodBefore ? others : named).shift();
  }
  return [...result, ...named, ...others];
}

function retained(original: JsonObject, keys: JsonValue | undefined): JsonObject {
  if (!Array.isArray(keys)) return { ...original };
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.includes(key)));
}

function withoutDirectives(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key]) =>
        key !== directive &&
        key !== retainKeys &&
        !key.startsWith(deleteFrom) &&
        !key.startsWith(elementOrder),
    ),
  );
}

function dropNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, dropNulls(each)]),
  );
}

function childSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const property = schema?.properties?.get(key);
  if (property !== undefined) return property;
  const additional = schema?.additionalProperties;
  return typeof additional === "object" ? additional : undefined;
}
