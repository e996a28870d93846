import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { validate, withoutDefaultedNulls } from "../../schema/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { type CompletedObject, completeObject } from "./complete-object.ts";
import { type Written, finishCreate } from "./create.ts";
import { leavesEmptyMaps, noteEmptyMaps } from "./empty-maps.ts";
import { inVersion } from "./encode-object.ts";
import { mergeApplied } from "./field-managers.ts";
import { newMetadata } from "./object-metadata.ts";
import { readObject } from "./read-object.ts";
import {
  StatusError,
  applyConflict,
  badRequest,
  conflict,
  invalidStatus,
  notFoundStatus,
} from "./status.ts";
import { updateObject } from "./update.ts";

/** Server-side apply: creates the object, or merges what the manager wishes into it. */
export function applyObject(
  context: ApiContext,
  request: ResourceRequest,
  value: JsonValue,
): Written {
  requireManager(request);
  const applied = readApplied(context, request, value);
  const { store } = context;
  const { resource, path } = request;
  const stored = store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) {
    if (path.subresource !== "") throw notFoundStatus(resource, path.name);
    return createApplied(context, request, applied);
  }
  const warnings: string[] = [];
  const object = updateObject(context, request, (live) => {
    const changed = changeLive(context, request, live, applied);
    warnings.push(...changed.warnings);
    return changed.object;
  });
  return { object, warnings, created: false };
}

/** What an apply makes of an object that is there. */
export function applyChange(
  context: ApiContext,
  request: ResourceRequest,
  value: JsonValue,
): (live: KubernetesObject) => CompletedObject {
  requireManager(request);
  const applied = readApplied(context, request, value);
  return (live) => changeLive(context, request, live, applied);
}

function changeLive(
  context: ApiContext,
  request: ResourceRequest,
  live: KubernetesObject,
  applied: JsonObject,
): CompletedObject {
  const uid = uidOf(applied);
  if (uid !== "" && uid !== live.metadata.uid) {
    const detail = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
    throw invalidStatus(request.resource, request.path.name, [
      { type: "FieldValueInvalid", field: "metadata.uid", detail },
    ]);
  }
  const merged = merge(context, request, inVersion(live, request.resource), applied);
  requireNoNulls(request, merged);
  const { object, warnings } = completeObject(request, merged);
  const changed = withVersion(object, applied, live);
  if (leavesEmptyMaps(request.resource, merged)) noteEmptyMaps(changed);
  return { object: changed, warnings };
}

function createApplied(
  context: ApiContext,
  request: ResourceRequest,
  applied: JsonObject,
): Written {
  const { resource, path } = request;
  const uid = uidOf(applied);
  if (uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, path.name, why);
  }
  const merged = merge(context, request, undefined, applied);
  requireNoNulls(request, merged);
  const { object, warnings } = completeObject(request, merged);
  const { managedFields = [] } = object.metadata;
  // A version is no condition for what does not exist yet.
  const { resourceVersion: _version, ...given } = object.metadata;
  const metadata = {
    ...newMetadata(context, request, { ...object, metadata: given }),
    ...(managedFields.length === 0 ? {} : { managedFields }),
  };
  const created = finishCreate(context, request, { ...object, metadata });
  if (leavesEmptyMaps(resource, merged)) noteEmptyMaps(created);
  return { object: created, warnings, created: true };
}

function merge(
  context: ApiContext,
  request: ResourceRequest,
  live: KubernetesObject | undefined,
  applied: JsonObject,
): KubernetesObject {
  const result = mergeApplied(context, request, live, applied);
  switch (result.kind) {
    case "applied":
      return {
        ...(result.object as unknown as KubernetesObject),
        metadata: (result.object["metadata"] ?? {}) as KubernetesObject["metadata"],
      };
    case "conflicts":
      throw applyConflict(
        result.conflicts.map(({ message, field }) => ({ message, field })),
        result.message,
      );
    case "invalid":
      throw badRequest(result.message);
  }
}

/**
 * Giving up the last field of a map of a custom resource leaves null there, which a real server
 * refuses; it drops only the nulls that clients send.
 */
function requireNoNulls({ resource, path }: ResourceRequest, merged: KubernetesObject): void {
  if (resource.custom === undefined || resource.schema === undefined) return;
  const kept = withoutDefaultedNulls(resource.schema, merged as unknown as JsonObject);
  const errors = validate(resource.schema, kept).filter(({ detail }) =>
    detail.startsWith('Invalid value: "null"'),
  );
  if (errors.length > 0) throw invalidStatus(resource, path.name, errors);
}

function uidOf(applied: JsonObject): string {
  const { uid } = (applied["metadata"] ?? {}) as { readonly uid?: string };
  return uid ?? "";
}

function requireManager({ request }: ResourceRequest): void {
  if ((request.query.get("fieldManager") ?? "") !== "") return;
  throw new StatusError(
    422,
    "Invalid",
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    {
      group: "meta.k8s.io",
      kind: "PatchOptions",
      causes: [
        {
          reason: "FieldValueRequired",
          message: "Required value: is required for apply patch",
          field: "fieldManager",
        },
      ],
    },
  );
}

/** The wishes as they were sent; kind, version and name must be those of the path. */
function readApplied(context: ApiContext, request: ResourceRequest, value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw badRequest("error decoding YAML: an apply patch is an object");
  if (typeof value["kind"] !== "string" || value["kind"] === "") {
    throw badRequest("Object 'Kind' is missing in request body");
  }
  if (typeof value["apiVersion"] !== "string" || value["apiVersion"] === "") {
    throw badRequest("Object 'apiVersion' is missing in request body");
  }
  const { path, resource } = request;
  const object = readObject(value, request);
  const { name, namespace } = object.metadata;
  const { managedFields } = object.metadata as { readonly managedFields?: unknown };
  if (Array.isArray(managedFields) && managedFields.length > 0)
    throw badRequest("metadata.managedFields must be nil");
  const exists = context.store.get(resource.storageKey, path.namespace, path.name) !== undefined;
  if ((name ?? "") === "" && !exists) {
    const why = "was undeterminable: name must be provided";
    throw badRequest(`the name of the object (${path.name} based on URL) ${why}`);
  }
  const metadata: JsonObject = {
    ...(object.metadata as unknown as JsonObject),
    name: name ?? path.name,
  };
  if (path.namespace !== "") {
    if (namespace !== undefined && namespace !== path.namespace) {
      throw badRequest(
        "the namespace of the provided object does not match the namespace sent on the request",
      );
    }
    metadata["namespace"] = path.namespace;
  }
  return { ...value, metadata };
}

/** Only a version that the manager itself wrote down is a condition. */
function withVersion(
  object: KubernetesObject,
  applied: JsonObject,
  live: KubernetesObject,
): KubernetesObject {
  const { resourceVersion: asked, uid } = (applied["metadata"] ?? {}) as {
    resourceVersion?: string;
    uid?: string;
  };
  const version = asked === undefined || asked === "" ? live.metadata.resourceVersion : asked;
  const { uid: _uid, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(version === undefined ? {} : { resourceVersion: version }),
      ...(uid === undefined ? {} : { uid }),
    },
  };
}
