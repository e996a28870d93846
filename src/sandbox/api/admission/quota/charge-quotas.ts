import type { KubernetesObject } from "../../../../objects/index.ts";
import { compareQuantities } from "../../../../schema/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { inVersion } from "../../encode-object.ts";
import { orderedObject } from "../../ordered-object.ts";
import { recordAt } from "../../tables/read-fields.ts";
import { type AdmissionAttributes, admissionRefusal } from "../attributes.ts";
import type { AdmittedPodSpec } from "../pod-resources.ts";
import {
  addLists,
  formatList,
  increaseOver,
  pick,
  type ResourceList,
  withoutZeros,
} from "../resource-list.ts";
import { requestsMissing } from "./requests-missing.ts";
import { isInScope } from "./scopes.ts";
import { measures, chargedUsage } from "./usage.ts";

const quotas = "/resourcequotas";
const updatedToo = new Set(["/services", "/persistentvolumeclaims"]);
const ignored = new Set(["/events", "/bindings"]);

/**
 * Refuses what would exceed a quota of the namespace. Returns what charges the quotas once nothing
 * else stands in the way.
 */
export function chargeQuotas(context: ApiContext, attributes: AdmissionAttributes): () => void {
  const { object, request } = attributes;
  const { namespace } = request.path;
  if (object === undefined || namespace === "" || !isCharged(attributes)) return nothing;
  if (context.store.count(quotas) === 0) return nothing;
  const charged: KubernetesObject[] = [];
  for (const { object: quota } of context.store.list(quotas, namespace)) {
    const next = chargedQuota(quota, attributes, object);
    if (next !== undefined) charged.push(next);
  }
  return () => {
    for (const quota of charged) context.store.put(quotas, orderedObject(quota));
  };
}

function nothing(): void {
  // No quota is concerned.
}

function isCharged({ operation, request, object, old }: AdmissionAttributes): boolean {
  const { resource, path } = request;
  if (ignored.has(resource.storageKey)) return false;
  if (operation === "CREATE") return path.subresource === "";
  if (operation !== "UPDATE") return false;
  if (resource.storageKey === "/pods") {
    if (path.subresource !== "") return path.subresource === "resize";
    return deadlineOf(object) !== deadlineOf(old);
  }
  return path.subresource === "" && updatedToo.has(resource.storageKey);
}

function deadlineOf(pod: KubernetesObject | undefined): boolean {
  return recordAt(pod, "spec")["activeDeadlineSeconds"] !== undefined;
}

/** The quota with more used; undefined when it is not concerned. */
function chargedQuota(
  quota: KubernetesObject,
  attributes: AdmissionAttributes,
  object: KubernetesObject,
): KubernetesObject | undefined {
  const { resource } = attributes.request;
  const { name = "" } = quota.metadata;
  const hard = recordAt(quota, "status.hard") as ResourceList;
  const used = recordAt(quota, "status.used") as ResourceList;
  const restricted = Object.keys(hard).filter((each) => measures(resource, each));
  if (restricted.length === 0 || !isInScope(quota, object)) return undefined;
  if (resource.storageKey === "/pods") {
    const missing = requestsMissing(object["spec"] as AdmittedPodSpec, restricted);
    if (missing !== undefined)
      throw admissionRefusal(attributes, `failed quota: ${name}: ${missing}`);
  }
  if (restricted.some((each) => used[each] === undefined)) {
    const why = `status unknown for quota: ${name}, resources: ${restricted.toSorted().join(",")}`;
    throw admissionRefusal(attributes, why);
  }
  const requested = pick(increaseOf(quota, attributes, object), (each) => hard[each] !== undefined);
  if (Object.keys(requested).length === 0) return undefined;
  const next = addLists(used, requested);
  const isExceeded = (each: string): boolean =>
    requested[each] !== undefined &&
    (compareQuantities(next[each] ?? "0", hard[each] ?? "0") ?? 0) > 0;
  const exceeded = pick(requested, isExceeded);
  if (Object.keys(exceeded).length > 0) {
    throw admissionRefusal(
      attributes,
      `exceeded quota: ${name}, requested: ${formatList(exceeded)}, used: ${formatList(pick(used, isExceeded))}, limited: ${formatList(pick(hard, isExceeded))}`,
    );
  }
  return { ...quota, status: { ...recordAt(quota, "status"), used: next } };
}

/** What the write takes of a quota in addition to what the object has taken already. */
function increaseOf(
  quota: KubernetesObject,
  { request, old }: AdmissionAttributes,
  object: KubernetesObject,
): ResourceList {
  const { resource } = request;
  const usage = chargedUsage(resource, object);
  if (old === undefined || !isInScope(quota, old)) return withoutZeros(usage);
  return withoutZeros(increaseOver(usage, chargedUsage(resource, inVersion(old, resource))));
}
