import { type JsonObject, type JsonValue, stringifyJson } from "../../objects/index.ts";
import type { Schema } from "../../schema/index.ts";
import { isObject } from "./read-object.ts";
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
  if (!isObject(patch)) return patch;
  return mergeMap(isObject(value) ? value : {}, patch, schema);
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
      result[key] = mergeValue(
        result[key],
        change,
        childSchema(schema, key),
        patch[`${elementOrder}${key}`],
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
  if (isObject(change)) {
    const isReplaced = schema?.patchStrategy?.split(",").includes("replace") ?? false;
    return isObject(original) && !isReplaced
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
  return ordered(merged, order, key);
}

function mergeByKey(
  existing: readonly JsonValue[],
  change: readonly JsonValue[],
  key: string,
  items: Schema | undefined,
): JsonValue[] {
  if (change.some((item) => isObject(item) && item[directive] === "replace")) {
    return change.filter((item) => !(isObject(item) && item[directive] === "replace"));
  }
  let result = [...existing];
  for (const item of change) {
    if (!isObject(item))
      throw badRequest("error decoding patch: a list that merges by key holds objects");
    const value = item[key];
    if (item[directive] === "delete") {
      result = result.filter((each) => !(isObject(each) && each[key] === value));
      continue;
    }
    if (value === undefined) {
      throw badRequest(`map: ${stringifyJson(item)} does not contain declared merge key: ${key}`);
    }
    const index = result.findIndex((each) => isObject(each) && each[key] === value);
    const found = result[index];
    if (index >= 0 && isObject(found)) result[index] = mergeMap(found, item, items);
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
  const list = result[key];
  if (Array.isArray(list) && Array.isArray(values))
    result[key] = list.filter((value) => !values.includes(value));
}

/** Puts the named elements into the order that the patch gives them, the others behind. */
function ordered(
  list: JsonValue[],
  order: JsonValue | undefined,
  key: string | undefined,
): JsonValue[] {
  if (!Array.isArray(order)) return list;
  const keyOf = (value: JsonValue): JsonValue | undefined =>
    key !== undefined && isObject(value) ? value[key] : value;
  const positions = new Map(order.map((value, index) => [keyOf(value), index]));
  return list
    .map((value, index) => ({ value, rank: positions.get(keyOf(value)) ?? order.length + index }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ value }) => value);
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
  if (!isObject(value)) return value;
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
