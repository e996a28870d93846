import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { applyChange } from "../apply.ts";
import { type CompletedObject, completeObject } from "../complete-object.ts";
import { applyPatchTypes, decodeBody, decodeYaml, mediaType } from "../decode-body.ts";
import { recordUpdate } from "../field-managers.ts";
import { patchChange } from "../patch.ts";
import { readObject } from "../read-object.ts";

/** What a PUT, a PATCH or an apply makes of an object, managers included. */
export function readChange(
  context: ApiContext,
  request: ResourceRequest,
): (live: KubernetesObject) => CompletedObject {
  const { method, body, contentType } = request.request;
  if (method === "PATCH") {
    return applyPatchTypes.includes(mediaType(contentType))
      ? applyChange(context, request, decodeYaml(body))
      : patchChange(context, request);
  }
  const sent = readObject(decodeBody(body, contentType), request);
  const { object, warnings } = completeObject(request, sent);
  return (live) => ({ object: recordUpdate(context, request, live, object), warnings });
}
