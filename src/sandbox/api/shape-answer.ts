import { stringifyJson } from "../../json/index.ts";
import type { KubernetesObject, ObjectMeta } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { type AnswerForm, answerFormOf } from "./answer-form.ts";
import { inVersion } from "./encode-object.ts";
import type { ServedResource } from "./served-resource.ts";
import { notAcceptable } from "./status.ts";
import { tableOf } from "./table.ts";

/** The text of one object in the form that the client asked for; undefined for the object itself. */
export function shapeObject(
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
): string | undefined {
  const form = answerFormOf(request.request);
  const { resource } = request;
  switch (form.shape) {
    case "object":
      return undefined;
    case "table": {
      const { resourceVersion } = object.metadata;
      const metadata = resourceVersion === undefined ? {} : { resourceVersion };
      return stringifyJson(tableOf(context, request, [object], metadata));
    }
    case "metadata":
      return stringifyJson(partialMetadata(inVersion(object, resource).metadata, form));
    case "metadata-list":
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(resource, false)})`,
      );
  }
}

/** The text of a list in the form that the client asked for; undefined for the list itself. */
export function shapeList(
  context: ApiContext,
  request: ResourceRequest,
  objects: readonly KubernetesObject[],
  metadata: Readonly<Record<string, unknown>>,
): string | undefined {
  const form = answerFormOf(request.request);
  const { resource } = request;
  switch (form.shape) {
    case "object":
      return undefined;
    case "table":
      return stringifyJson(tableOf(context, request, objects, metadata));
    case "metadata-list":
      return stringifyJson({
        kind: "PartialObjectMetadataList",
        apiVersion: `meta.k8s.io/${form.metaVersion}`,
        metadata,
        items: objects.map((object) => partialMetadata(inVersion(object, resource).metadata, form)),
      });
    case "metadata":
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (*${goType(resource, true)})`,
      );
  }
}

/** All that metadata-only clients want to know of an object. */
export function partialMetadata(
  metadata: ObjectMeta | Readonly<Record<string, unknown>>,
  { metaVersion }: AnswerForm,
): unknown {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${metaVersion}`, metadata };
}

/** How messages of a real server call what they could not turn into another form. */
function goType(
  { group, kind, listKind, custom, storageKey }: ServedResource,
  list: boolean,
): string {
  if (custom !== undefined)
    return list ? "unstructured.UnstructuredList" : "unstructured.Unstructured";
  const folder = group === "" || storageKey === "/events" ? "core" : (group.split(".")[0] ?? "");
  return `${folder}.${list ? listKind : kind}`;
}
