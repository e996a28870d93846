import { type ClientContext, sendForStream, targetOf } from "../api/client-context.ts";
import { resourcePath } from "../api/resource-path.ts";
import { readLines } from "./read-lines.ts";

export interface PodReference {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface PodLogQuery {
  readonly container?: string | undefined;
  /** Goes on with new lines until the container ends. */
  readonly follow?: boolean | undefined;
  /** Only so many of the last lines. */
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  /** The log of the container that ran before the present one. */
  readonly previous?: boolean | undefined;
  /** Each line begins with the time that it was written at. */
  readonly timestamps?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const longestLine = 1024 * 1024;

export const podKind = { apiVersion: "v1", kind: "Pod" } as const;

/** The log of a container, line by line. */
export async function* followPodLogs(
  context: ClientContext,
  pod: PodReference,
  { signal, ...query }: PodLogQuery = {},
): AsyncGenerator<string> {
  const { resource, namespace, purpose } = await targetOf(
    context,
    "get",
    { ...podKind, ...pod },
    "log",
  );
  const answer = await sendForStream(context, purpose, {
    method: "GET",
    path: resourcePath(resource, { namespace, name: pod.name, subresource: "log" }),
    query,
    headers: { accept: "*/*", "accept-encoding": "identity" },
    signal,
  });
  yield* readLines(answer.body, longestLine);
}
