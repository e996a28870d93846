import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { podLogs, readPodLogOptions } from "../pod-logs.ts";
import type { ApiResponse } from "../request.ts";
import { notFoundStatus } from "../status.ts";

/** The log of a container: what its simulation wrote. */
export function podLog(
  context: ApiContext,
  { request, path, resource }: ResourceRequest,
): ApiResponse {
  const pod = context.store.get(resource.storageKey, path.namespace, path.name)?.object;
  if (pod === undefined) throw notFoundStatus(resource, path.name);
  return podLogs(context, pod, readPodLogOptions(request.query));
}
