import {
  applyConfiguration,
  equalValues,
  isApplied,
  keepTimestamps,
  resetFieldsOf,
  typeNodeOf,
} from "../merge/index.ts";
import type { JsonObject } from "../json/index.ts";
import { type KubernetesObject, splitApiVersion } from "../objects/index.ts";
import { decodeObject, emptyObject, type Schema } from "../schema/index.ts";
import { isLeftAsItIs } from "./keep-annotations.ts";

/** Whether an apply would change anything; `unsure` where only the server knows. */
export type Comparison = "same" | "different" | "unsure";

/**
 * Does what the server would do with an apply, on what it last answered, and compares the outcome. An
 * object that the server would leave as it is needs no request at all.
 */
export function compareWithLive(
  wanted: KubernetesObject,
  live: KubernetesObject,
  schema: Schema | undefined,
  manager: string,
): Comparison {
  if (isLeftAsItIs(wanted, live)) return "same";
  if (schema === undefined) return "unsure";
  const liveObject = live as unknown as JsonObject;
  if (isApplied(typeNodeOf(schema), wanted as unknown as JsonObject, liveObject, manager))
    return "same";
  return compareByMerge(wanted, live, schema, manager);
}

/** The long way: merges as the server does. */
export function compareByMerge(
  wanted: KubernetesObject,
  live: KubernetesObject,
  schema: Schema,
  manager: string,
): Comparison {
  const liveObject = live as unknown as JsonObject;
  const outcome = mergedWith(wanted, live, schema, manager);
  if (outcome === undefined) return "unsure";
  return equalValues(liveObject, keepTimestamps(liveObject, outcome)) ? "same" : "different";
}

/** What an apply makes of an object; undefined where only the server knows. */
export function mergedWith(
  wanted: KubernetesObject,
  live: KubernetesObject,
  schema: Schema,
  manager: string,
): JsonObject | undefined {
  const { apiVersion, kind } = wanted;
  const liveObject = live as unknown as JsonObject;
  if (live.apiVersion !== apiVersion) return undefined;
  const { group, version } = splitApiVersion(apiVersion);
  const reset = resetFieldsOf(
    { group, version, kind },
    undefined,
    schema.hasPlainStatus !== true && (schema.properties?.has("status") ?? false),
  );
  const empty: JsonObject =
    schema.name === undefined ? { apiVersion, kind } : emptyObject(schema, apiVersion, kind);
  const result = applyConfiguration({
    apiVersion,
    schema,
    live: liveObject,
    empty,
    applied: wanted as unknown as JsonObject,
    manager,
    force: true,
    now: "1970-01-01T00:00:00Z",
    ...(reset === undefined ? {} : { resetFields: new Map([[apiVersion, reset]]) }),
  });
  if (result.kind !== "applied") return undefined;
  const { object, problems } = decodeObject(schema, result.object);
  if (problems.length > 0) return undefined;
  return schema.hasPlainStatus === true ? object : withStatusOf(object, liveObject);
}

/** What is wished for has no say in a status that stands apart. */
function withStatusOf(object: JsonObject, live: JsonObject): JsonObject {
  const { status: _status, ...rest } = object;
  return live["status"] === undefined ? rest : { ...rest, status: live["status"] };
}
