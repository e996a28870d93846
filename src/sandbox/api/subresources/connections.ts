import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { ApiResponse } from "../request.ts";
import { StatusError, notFound } from "../status.ts";

const reasons: Readonly<Record<string, string>> = {
  exec: "there is nothing in them to execute",
  attach: "there is nothing in them to attach to",
  portforward: "nothing listens in them",
  proxy: "nothing listens in them",
};

/** Nothing runs behind simulated containers; whoever wants to connect to one is told so. */
export function refuseConnection(
  { store }: ApiContext,
  { resource, path }: ResourceRequest,
): ApiResponse {
  if (store.get(resource.storageKey, path.namespace, path.name) === undefined) {
    throw notFound(resource, path.name);
  }
  const why = reasons[path.subresource] ?? "";
  throw new StatusError(
    501,
    "NotImplemented",
    `the containers of the sandbox are simulated: ${why}`,
  );
}
