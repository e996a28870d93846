import type { JsonValue, KubernetesObject } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { applyObject } from "./apply.ts";
import { completeObject } from "./complete-object.ts";
import type { Written } from "./create.ts";
import { applyPatchTypes, decodeJson, decodeYaml, mediaType } from "./decode-body.ts";
import { inVersion } from "./encode-object.ts";
import { recordUpdate } from "./field-managers.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { isObject, readObject } from "./read-object.ts";
import { badRequest, unsupportedMediaType } from "./status.ts";
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
  const patch = decodePatch(request, type);
  const warnings: string[] = [];
  const object = updateObject(context, request, (live) => {
    const current = inVersion(live, request.resource);
    const patched = applyPatch(current, patch, type, request);
    const completed = completeObject(request, readObject(patched, request));
    warnings.push(...completed.warnings);
    return recordUpdate(context, request, current, withVersionOf(live, completed.object));
  });
  return { object, warnings, created: false };
}

function decodePatch({ request, resource }: ResourceRequest, type: string): JsonValue {
  const isKnown =
    type === jsonPatch ||
    type === mergePatch ||
    (type === strategicPatch && resource.custom === undefined);
  if (!isKnown) throw unsupportedMediaType(type, allowed);
  const patch = decodeJson(request.body);
  if (type !== jsonPatch && !isObject(patch))
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

/** A patch that does not speak of the version is meant for whatever version there is. */
function withVersionOf(live: KubernetesObject, object: KubernetesObject): KubernetesObject {
  const version = object.metadata.resourceVersion ?? live.metadata.resourceVersion;
  return version === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, resourceVersion: version } };
}
