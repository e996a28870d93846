/**
 * Parts of objects that have paths of their own: scale, binding, eviction, log, token and the like.
 * `status` is not among them, it is written as the object itself is.
 */
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { ApiResponse } from "../request.ts";
import { methodNotAllowed, unknownPath } from "../status.ts";
import { writeApproval } from "./approval.ts";
import { createBinding } from "./binding.ts";
import { connectToPod } from "./connections.ts";
import { evictPod } from "./eviction.ts";
import { finalizeNamespace } from "./finalize.ts";
import { podLog } from "./log.ts";
import { writePodPart } from "./pod-parts.ts";
import { readScale, writeScale } from "./scale.ts";
import { issueToken } from "./token.ts";

type Handler = (context: ApiContext, request: ResourceRequest) => ApiResponse;

/** What answers a subresource, by the verb of discovery. */
const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  scale: { get: readScale, update: writeScale, patch: writeScale },
  "pods/binding": { create: createBinding },
  "pods/eviction": { create: evictPod },
  "pods/log": { get: podLog },
  "pods/ephemeralcontainers": { get: writePodPart, update: writePodPart, patch: writePodPart },
  "pods/resize": { get: writePodPart, update: writePodPart, patch: writePodPart },
  "serviceaccounts/token": { create: issueToken },
  "namespaces/finalize": { update: finalizeNamespace },
  "certificatesigningrequests/approval": {
    get: writeApproval,
    update: writeApproval,
    patch: writeApproval,
  },
};

const connections = new Set(["exec", "attach", "portforward", "proxy"]);

export function handleSubresource(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { resource, path } = request;
  if (connections.has(path.subresource)) return connectToPod(context, request);
  const byVerb = handlers[path.subresource] ?? handlers[`${resource.resource}/${path.subresource}`];
  if (byVerb === undefined) throw unknownPath();
  const handler = byVerb[verbs[request.request.method] ?? ""];
  if (handler === undefined) throw methodNotAllowed();
  return handler(context, request);
}

const verbs: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
};
