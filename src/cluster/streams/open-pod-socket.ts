import { ApiError } from "../api/api-error.ts";
import { type ClientContext, targetOf } from "../api/client-context.ts";
import { resourcePath } from "../api/resource-path.ts";
import { statusOf } from "../api/status.ts";
import { SocketRefused } from "../transport/socket-refused.ts";
import type { MessageSocket, Query } from "../transport/transport.ts";
import { podKind, type PodReference } from "./pod-logs.ts";

/** Opens the socket of a pod's subresource; a refusal is an ApiError like that of any request. */
export async function openPodSocket(
  context: ClientContext,
  pod: PodReference,
  subresource: "exec" | "portforward",
  query: Query,
  protocols: readonly string[],
  signal?: AbortSignal,
): Promise<MessageSocket> {
  // The server checks the right to create, although the request is a GET.
  const target = await targetOf(context, "create", { ...podKind, ...pod }, subresource);
  try {
    return await context.transport.openSocket(
      {
        method: "GET",
        path: resourcePath(target.resource, {
          namespace: target.namespace,
          name: pod.name,
          subresource,
        }),
        query,
        signal,
      },
      protocols,
    );
  } catch (error) {
    if (error instanceof SocketRefused) throw new ApiError(target.purpose, statusOf(error.answer));
    throw error;
  }
}
