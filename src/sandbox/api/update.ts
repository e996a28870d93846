import { keepTimestamps } from "../../merge/index.ts";
import { type JsonObject, equalValues } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { mutateByAdmission, validateByAdmission } from "./admission/index.ts";
import { type ApiContext, isDryRun, type ResourceRequest } from "./api-context.ts";
import { hasEmptyMaps, noteEmptyMaps } from "./empty-maps.ts";
import { inStorageVersion } from "./encode-object.ts";
import { orderedObject } from "./ordered-object.ts";
import type { ServedResource } from "./served-resource.ts";
import { StatusError, conflict, invalidStatus, modifiedMessage, notFoundStatus } from "./status.ts";
import { type Strategy, strategyOf } from "./strategy.ts";
import { refuseInvalid } from "./validate-object.ts";

/**
 * Replaces an object by a changed version of it, as PUT, PATCH and apply do. The change brings the
 * managers of its fields with it.
 */
export function updateObject(
  context: ApiContext,
  request: ResourceRequest,
  change: (live: KubernetesObject) => KubernetesObject,
): KubernetesObject {
  const { store } = context;
  const { resource, path } = request;
  const stored = store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  const live = stored.object;
  const isDry = isDryRun(request.request);
  const write = { operation: "UPDATE", request, old: live, isDryRun: isDry } as const;
  const wanted = mutateByAdmission(context, { ...write, object: change(live) });
  requireVersion(request, live, wanted);
  const kept = keepServerFields(request, live, inStorageVersion(context, resource, wanted));
  const strategy = strategyOf(resource);
  const prepared = strategy.prepareUpdate?.(kept, live, context, path.subresource) ?? kept;
  // What is written through the status is no wish.
  const counted =
    path.subresource === "status" ? prepared : withGeneration(strategy, live, prepared);
  refuseInvalid(context, request, counted, live);
  const charge = validateByAdmission(context, { ...write, object: counted });
  const complete = orderedObject(counted);
  if (isSame(live, complete, hasEmptyMaps(wanted))) return live;
  if (isDry) return complete;
  charge();
  if (!isGone(resource, complete)) {
    const { object } = store.put(resource.storageKey, complete);
    return hasEmptyMaps(wanted) ? noteEmptyMaps(object) : object;
  }
  // The last finalizer goes: what watchers see is the deletion of the object as it was.
  store.delete(resource.storageKey, path.namespace, path.name);
  return complete;
}

function requireVersion(
  { resource, path }: ResourceRequest,
  live: KubernetesObject,
  wanted: KubernetesObject,
): void {
  const version = wanted.metadata.resourceVersion ?? "";
  const isUnversioned = version === "" || version === "0";
  if (isUnversioned && !strategyOf(resource).unconditionalUpdate) {
    throw invalidStatus({ group: resource.group, kind: resource.resource }, path.name, [
      {
        type: "FieldValueInvalid",
        field: "metadata.resourceVersion",
        detail: `Invalid value: ${version === "" ? "0" : version}: must be specified for an update`,
      },
    ]);
  }
  if (!isUnversioned && version !== live.metadata.resourceVersion) {
    throw conflict(resource, path.name, modifiedMessage);
  }
  const { uid } = wanted.metadata;
  if (uid !== undefined && uid !== "" && uid !== live.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid ?? ""}`;
    throw new StatusError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${resource.resource}${resource.group === "" ? "" : `.${resource.group}`} "${path.name}": ${why}`,
      {
        name: path.name,
        ...(resource.group === "" ? {} : { group: resource.group }),
        kind: resource.resource,
      },
    );
  }
}

const serverMetadata = [
  "uid",
  "creationTimestamp",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
];

/** What clients cannot change: identity, times; the status through the object and the rest through the status. */
function keepServerFields(
  { resource, path }: ResourceRequest,
  live: KubernetesObject,
  wanted: KubernetesObject,
): KubernetesObject {
  const metadata: Record<string, unknown> = { ...wanted.metadata };
  for (const field of serverMetadata) {
    const value = live.metadata[field];
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  metadata["name"] = live.metadata.name;
  if (live.metadata.namespace !== undefined) metadata["namespace"] = live.metadata.namespace;
  else if (!resource.namespaced) delete metadata["namespace"];
  metadata["resourceVersion"] = live.metadata.resourceVersion;
  if (live.metadata.generateName !== undefined && metadata["generateName"] === undefined) {
    metadata["generateName"] = live.metadata.generateName;
  }
  const object = { ...wanted, metadata } as KubernetesObject;
  if (path.subresource === "status") return statusOnly(resource, live, object);
  const separate =
    resource.custom?.statusSubresource ??
    resource.subresources.some(({ name }) => name === "status");
  if (!separate) return object;
  const { status: _status, ...rest } = object;
  return live["status"] === undefined ? rest : { ...rest, status: live["status"] };
}

/** Through `/status` a client changes the status and, of built-in kinds, the metadata's maps. */
function statusOnly(
  resource: ResourceRequest["resource"],
  live: KubernetesObject,
  object: KubernetesObject,
): KubernetesObject {
  const { status } = object;
  const metadata: Record<string, unknown> = {
    ...live.metadata,
    managedFields: object.metadata.managedFields,
  };
  if (resource.custom === undefined) {
    for (const field of ["labels", "annotations", "finalizers", "ownerReferences"]) {
      const value = object.metadata[field];
      if (value === undefined) delete metadata[field];
      else metadata[field] = value;
    }
  }
  const { status: _old, ...rest } = live;
  return { ...rest, metadata, ...(status === undefined ? {} : { status }) };
}

function withGeneration(
  { generation: counts, labelsCount = false, annotationsCount = false }: Strategy,
  live: KubernetesObject,
  updated: KubernetesObject,
): KubernetesObject {
  if (!counts) return updated;
  const generation = live.metadata.generation ?? 1;
  const isSame =
    sameWish(live, updated) &&
    (!labelsCount || sameMap("labels", live, updated)) &&
    (!annotationsCount || sameMap("annotations", live, updated));
  const next = isSame ? generation : generation + 1;
  return { ...updated, metadata: { ...updated.metadata, generation: next } };
}

function sameMap(
  field: "labels" | "annotations",
  left: KubernetesObject,
  right: KubernetesObject,
): boolean {
  return equalValues({ ...left.metadata[field] }, { ...right.metadata[field] });
}

function sameWish(left: KubernetesObject, right: KubernetesObject): boolean {
  const wish = ({ metadata: _metadata, status: _status, ...rest }: KubernetesObject): JsonObject =>
    rest as unknown as JsonObject;
  return equalValues(wish(left), wish(right));
}

/** Whether there is nothing to write; maps that are stored but not shown count as well. */
function isSame(live: KubernetesObject, written: KubernetesObject, leavesMaps: boolean): boolean {
  if (leavesMaps !== hasEmptyMaps(live)) return false;
  if (!leavesMaps) return sameExceptTimes(live, written);
  return equalValues(live as unknown as JsonObject, written as unknown as JsonObject);
}

/** Whether nothing but the times in managedFields would change: then nothing is written at all. */
function sameExceptTimes(left: KubernetesObject, right: KubernetesObject): boolean {
  const live = left as unknown as JsonObject;
  return equalValues(live, keepTimestamps(live, right as unknown as JsonObject));
}

function isGone({ storageKey }: ServedResource, { metadata, spec }: KubernetesObject): boolean {
  // Namespaces have finalizers of their own besides.
  const { finalizers = [] } = (spec ?? {}) as { readonly finalizers?: readonly string[] };
  if (storageKey === "/namespaces" && finalizers.length > 0) return false;
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata["deletionGracePeriodSeconds"] ?? 0) === 0
  );
}
