import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { answerFormOf } from "./answer-form.ts";
import { checkWriteOptions } from "./check-options.ts";
import { completeObject } from "./complete-object.ts";
import { type Written, createObject } from "./create.ts";
import { decodeBody } from "./decode-body.ts";
import { deleteObject } from "./delete.ts";
import { hasPolicy, readDeleteOptions } from "./delete-options.ts";
import { encodeListItem, encodeStored, inVersion } from "./encode-object.ts";
import { recordUpdate } from "./field-managers.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import { readObject } from "./read-object.ts";
import type { ApiResponse, CompleteResponse } from "./request.ts";
import { requireReached } from "./require-reached.ts";
import { readSelection } from "./selection.ts";
import { shapeObject } from "./shape-answer.ts";
import { StatusError, badRequest, methodNotAllowed, notFoundStatus } from "./status.ts";
import { statusResponse } from "./status-response.ts";
import { strategyOf } from "./strategy.ts";
import { handleSubresource } from "./subresources/index.ts";
import { updateObject } from "./update.ts";
import { watchObjects } from "./watch.ts";

/** Answers a request for a resource, by its verb. */
export function handleResource(context: ApiContext, request: ResourceRequest): ApiResponse {
  checkWriteOptions(request.request);
  answerFormOf(request.request);
  const said = new Set<string>();
  const deprecation = request.resource.custom?.deprecationWarning;
  if (deprecation !== undefined) said.add(deprecation);
  const response = answerOrRefuse(context, { ...request, warn: (text) => said.add(text) });
  if (said.size === 0 || response.kind !== "complete") return response;
  return { ...response, warnings: [...said, ...(response.warnings ?? [])] };
}

/** What was said on the way to a refusal goes with it. */
function answerOrRefuse(context: ApiContext, request: ResourceRequest): ApiResponse {
  try {
    return answer(context, request);
  } catch (error) {
    if (error instanceof StatusError) return statusResponse(error);
    throw error;
  }
}

function answer(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { path } = request;
  if (path.subresource !== "" && path.subresource !== "status") {
    return handleSubresource(context, request);
  }
  return path.name === "" ? handleCollection(context, request) : handleOne(context, request);
}

function handleCollection(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { resource, path } = request;
  const { method, query } = request.request;
  requireVerb(request, collectionVerb(method, query));
  switch (method) {
    case "GET":
    case "HEAD":
      return isWatch(query) ? watchObjects(context, request) : listObjects(context, request);
    case "POST": {
      if (resource.namespaced && path.namespace === "") {
        throw methodNotAllowed(resource);
      }
      const sent = readObject(
        decodeBody(request.request.body, request.request.contentType),
        request,
      );
      return written(context, request, createObject(context, request, sent));
    }
    case "DELETE":
      return deleteCollection(context, request);
    default:
      throw methodNotAllowed(resource);
  }
}

function collectionVerb(method: string, query: URLSearchParams): string {
  if (method === "POST") return "create";
  if (method === "DELETE") return "deletecollection";
  return isWatch(query) ? "watch" : "list";
}

function handleOne(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { resource, path } = request;
  const { method, query } = request.request;
  switch (method) {
    case "GET":
    case "HEAD":
      if (isWatch(query)) return watchObjects(context, request);
      requireVerb(request, "get");
      return getObject(context, request);
    case "PUT":
      requireVerb(request, "update");
      return written(context, request, putObject(context, request));
    case "PATCH":
      requireVerb(request, "patch");
      return written(context, request, patchObject(context, request));
    case "DELETE":
      if (path.subresource !== "") throw methodNotAllowed(resource);
      requireVerb(request, "delete");
      return deleteOne(context, request);
    default:
      throw methodNotAllowed(resource);
  }
}

function deleteOne(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource } = request;
  const options = readDeleteOptions(request.request);
  const answered = deleteObject(context, request, options);
  const body =
    answered.kind === "Status"
      ? stringifyJson(answered)
      : (shapeObject(context, request, answered as KubernetesObject) ??
        stringifyJson(inVersion(answered as KubernetesObject, resource)));
  const { orphansByDefault } = strategyOf(resource);
  const warnings = orphansByDefault === undefined || hasPolicy(options) ? [] : [orphansByDefault];
  return {
    kind: "complete",
    status: 200,
    contentType: "application/json",
    body: `${body}\n`,
    warnings,
  };
}

function getObject(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { resource, path } = request;
  requireReached(context, request.request);
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  const body = `${shapeObject(context, request, stored.object) ?? encodeStored(stored, resource)}\n`;
  return { kind: "complete", status: 200, contentType: "application/json", body };
}

function putObject(context: ApiContext, request: ResourceRequest): Written {
  const { resource, path } = request;
  const sent = readObject(decodeBody(request.request.body, request.request.contentType), request);
  const { object, warnings } = completeObject(request, sent);
  if ((object.metadata.name ?? "") === "") {
    throw badRequest("name must be provided");
  }
  if (resource.namespaced && (object.metadata.namespace ?? path.namespace) !== path.namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  const exists = context.store.get(resource.storageKey, path.namespace, path.name) !== undefined;
  if (!exists && strategyOf(resource).createOnUpdate && path.subresource === "") {
    return createObject(context, request, sent);
  }
  const updated = updateObject(context, request, (live) =>
    recordUpdate(context, request, inVersion(live, resource), object),
  );
  return { object: updated, warnings, created: false };
}

function deleteCollection(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource } = request;
  const options = readDeleteOptions(request.request);
  const { namespace, matches } = readSelection(request);
  const selected = context.store
    .list(resource.storageKey, namespace)
    .filter(({ object }) => matches?.(object) ?? true);
  for (const stored of selected) deleteObject(context, { ...request, path: stored }, options);
  const items = selected.map((stored) => encodeListItem(stored, resource)).join(",");
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))}`;
  const metadata = { resourceVersion: String(context.store.revision) };
  const body = `${head},"metadata":${stringifyJson(metadata)},"items":[${items}]}\n`;
  return { kind: "complete", status: 200, contentType: "application/json", body };
}

function requireVerb({ resource, path }: ResourceRequest, verb: string): void {
  const verbs =
    path.subresource === ""
      ? resource.verbs
      : (resource.subresources.find(({ name }) => name === path.subresource)?.verbs ?? []);
  if (!verbs.includes(verb)) throw methodNotAllowed(resource);
}

function isWatch(query: URLSearchParams): boolean {
  const watch = query.get("watch");
  return watch === "true" || watch === "1";
}

function written(
  context: ApiContext,
  request: ResourceRequest,
  { object, warnings, created }: Written,
): CompleteResponse {
  const shaped = shapeObject(context, request, object);
  const body = shaped ?? stringifyJson(inVersion(object, request.resource));
  return {
    kind: "complete",
    status: created ? 201 : 200,
    contentType: "application/json",
    body: `${body}\n`,
    warnings,
  };
}
