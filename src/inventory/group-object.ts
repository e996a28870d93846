import { fail } from "../diagnostics/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../json/index.ts";
import type { KubernetesObject, ObjectIdentity } from "../objects/index.ts";
import { appliedMetadata } from "./group-metadata.ts";
import { formerIdAnnotation, continuedByAnnotation } from "./group-names.ts";
import { historyAnnotation } from "./history.ts";
import type { InventoryPart, ResourceStatus } from "./inventory.ts";

/** What one ResourceGroup says it owns. */
export function partOfGroup(object: KubernetesObject): InventoryPart {
  const { name = "", uid = "", resourceVersion = "", annotations, generation } = object.metadata;
  return {
    name,
    uid,
    resourceVersion,
    generation,
    observedGeneration: observedGenerationOf(object),
    metadata: appliedMetadata(object),
    formerId: annotations?.[formerIdAnnotation],
    history: historyOfGroup(object),
    historyAnnotation: annotations?.[historyAnnotation],
    continuedBy: annotations?.[continuedByAnnotation],
    entries: listIn(object, "spec", "resources").map(entryInGroup),
  };
}

/** What one ResourceGroup says of each object. */
export function statusesOfGroup(object: KubernetesObject): readonly ResourceStatus[] {
  return listIn(object, "status", "resourceStatuses") as readonly ResourceStatus[];
}

/** What runs have changed, as text; the status has it, or an annotation where it knows none. */
export function historyOfGroup(object: KubernetesObject): string | undefined {
  return historyInStatus(object) ?? object.metadata.annotations?.[historyAnnotation];
}

export function historyInStatus({ status }: KubernetesObject): string | undefined {
  return isJsonObject(status) && status["history"] !== undefined
    ? stringifyJson(status["history"])
    : undefined;
}

export function entryInGroup({
  group = "",
  kind = "",
  namespace = "",
  name = "",
}: Partial<ObjectIdentity>): ObjectIdentity {
  return { group, kind, namespace, name };
}

function observedGenerationOf({ status }: KubernetesObject): number | undefined {
  const observed = isJsonObject(status) ? status["observedGeneration"] : undefined;
  return typeof observed === "number" ? observed : undefined;
}

/** The status that says how each object is, of which generation of the group, and what runs have changed. */
export function statusOfGroup(
  statuses: readonly ResourceStatus[],
  { history, generation }: Pick<InventoryPart, "history" | "generation">,
): JsonObject {
  const isDone = statuses.every(
    ({ actuation, reconcile }) => actuation !== "Pending" && reconcile !== "Pending",
  );
  const hasFailed = statuses.some(
    ({ actuation, reconcile }) =>
      actuation === "Failed" || reconcile === "Failed" || reconcile === "Timeout",
  );
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const condition = (type: string, value: boolean, reason: string): JsonObject => ({
    type,
    status: value ? "True" : "False",
    reason,
    lastTransitionTime: now,
  });
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: [
      condition("Reconciling", !isDone, isDone ? "Finished" : "Running"),
      condition("Stalled", isDone && hasFailed, hasFailed ? "Failures" : "NoFailures"),
    ],
    resourceStatuses: statuses.map(({ digest, ...status }) => ({
      ...status,
      ...(digest === undefined ? {} : { digest }),
    })),
    ...(history === undefined ? {} : { history: JSON.parse(history) as JsonValue }),
  };
}

/** The server takes any list here; one that was edited into something else must not count as empty. */
function listIn(
  { metadata, ...object }: KubernetesObject,
  part: "spec" | "status",
  field: string,
): readonly Partial<ObjectIdentity>[] {
  const value: unknown = object[part];
  const list = isJsonObject(value) ? value[field] : value;
  if (list === undefined || list === null) return [];
  if (Array.isArray(list) && list.every(isJsonObject)) return list;
  return fail({
    code: "live.unreadable-group",
    summary: `the ResourceGroup ${metadata.namespace ?? ""}/${metadata.name ?? ""} cannot be read: ${part}.${field} is not a list of objects`,
    hint: `correct it: kubectl edit resourcegroups.kpt.dev ${metadata.name ?? ""} --namespace ${metadata.namespace ?? ""}`,
  });
}
