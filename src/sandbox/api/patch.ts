import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { type JsonValue, stringifyJson, isJsonObject } from "../../json/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { applyObject } from "./apply.ts";
import { type CompletedObject, completeObject } from "./complete-object.ts";
import type { Written } from "./create.ts";
import { applyPatchTypes, decodeJsonBody, decodeYaml, mediaType } from "./decode-body.ts";
import { inVersion } from "./encode-object.ts";
import { recordUpdate } from "./field-managers.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { readObject } from "./read-object.ts";
import { StatusError, badRequest, invalidStatus, unsupportedMediaType } from "./status.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
import { updateObject } from "./update.ts";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const allowed = [jsonPatch, mergePatch, ...applyPatchTypes];

/** Changes an object by one of the four kinds of patch. */
export function patchObject(context: ApiContext, request: ResourceRequest): Written {
  const type = mediaType(request.request.contentType);
  if (applyPatchTypes.includes(type))
    return applyObject(context, request, decodeYaml(request.request.body));
  const change = patchChange(context, request);
  const warnings: string[] = [];
  const object = updateObject(context, request, (live) => {
    const changed = change(live);
    warnings.push(...changed.warnings);
    return changed.object;
  });
  return { object, warnings, created: false };
}

/** What a patch other than apply makes of an object. */
export function patchChange(
  context: ApiContext,
  request: ResourceRequest,
): (live: KubernetesObject) => CompletedObject {
  const type = mediaType(request.request.contentType);
  const patch = decodePatch(request, type);
  return (live) => {
    const current = inVersion(live, request.resource);
    const patched = applyPatch(current, patch, type, request);
    const { object, warnings } = decodePatched(request, patched);
    const recorded = recordUpdate(context, request, current, withVersionOf(live, object));
    return { object: recorded, warnings };
  };
}

function decodePatch({ request, resource }: ResourceRequest, type: string): JsonValue {
  const isKnown =
    type === jsonPatch ||
    type === mergePatch ||
    (type === strategicPatch && resource.custom === undefined);
  if (!isKnown) throw unsupportedMediaType(type, allowed);
  const patch = decodeJsonBody(request.body);
  if (type !== jsonPatch && !isJsonObject(patch))
    throw badRequest("error decoding patch: expected an object");
  return patch;
}

function applyPatch(
  current: KubernetesObject,
  patch: JsonValue,
  type: string,
  { resource }: ResourceRequest,
): JsonValue {
  const value = current as unknown as JsonValue;
  if (type === jsonPatch) return applyJsonPatch(value, patch);
  if (type === mergePatch) return applyMergePatch(value, patch);
  return applyStrategicMergePatch(value, patch, resource.schema);
}

/** What a patch makes of an object must still be one; a change of its name is a bad request. */
function decodePatched(request: ResourceRequest, patched: JsonValue): CompletedObject {
  const { kind, apiVersion } = patched as { kind?: JsonValue; apiVersion?: JsonValue };
  const { resource } = request;
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource))
    throw unreadable(patched, `it is no ${resource.kind}`);
  const object = readObject(patched, request);
  try {
    return completeObject(request, object);
  } catch (error) {
    if (!(error instanceof StatusError) || error.message.includes("strict decoding error"))
      throw error;
    throw unreadable(patched, error.message);
  }
}

function unreadable(patched: JsonValue, why: string): StatusError {
  const detail = `Invalid value: ${stringifyJson(stringifyJson(patched))}: ${why}`;
  return invalidStatus({ group: "", kind: "" }, "", [
    { type: "FieldValueInvalid", field: "patch", detail },
  ]);
}

/** A patch that does not speak of the version is meant for whatever version there is. */
function withVersionOf(live: KubernetesObject, object: KubernetesObject): KubernetesObject {
  const version = object.metadata.resourceVersion ?? live.metadata.resourceVersion;
  return version === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, resourceVersion: version } };
}
