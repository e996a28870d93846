import { isJsonObject, parseJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { readLines } from "../streams/read-lines.ts";
import { ApiError } from "./api-error.ts";
import { type ClientContext, purposeOf, sendForStream } from "./client-context.ts";
import type { ApiResource } from "./api-resource.ts";
import { resourcePath } from "./resource-path.ts";
import { statusOfObject } from "./status.ts";
import { isNamed } from "./check-answer.ts";
import { describePurpose } from "./describe-status.ts";
import { unexpectedAnswer, unexpectedValue } from "./unexpected-answer.ts";
import type { WatchOptions } from "./watch.ts";

/** One line of a watch, as the server sent it. */
export interface RawWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubernetesObject;
}

export interface WatchStart {
  /** Where to go on from. Left out: the server first sends everything that exists. */
  readonly resourceVersion?: string | undefined;
}

const longestEvent = 64 * 1024 * 1024;
const metadataAccept =
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const leastWatchSeconds = 300;
const graceMs = 30_000;

/** One request of a watch, until the server ends it. */
export async function* watchOnce(
  context: ClientContext,
  resource: ApiResource,
  options: WatchOptions,
  { resourceVersion }: WatchStart,
): AsyncGenerator<RawWatchEvent> {
  const { namespace, labelSelector, fieldSelector, metadataOnly, signal } = options;
  const purpose = purposeOf("watch", resource, { namespace });
  // Watches that began together should not all end together.
  const timeoutSeconds = Math.round(leastWatchSeconds * (1 + context.timing.random()));
  // The server ends the watch itself; when it does not, the connection is dead.
  const overdue = AbortSignal.timeout(timeoutSeconds * 1000 + graceMs);
  const answer = await sendForStream(context, purpose, {
    method: "GET",
    path: resourcePath(resource, { namespace }),
    query: {
      watch: true,
      allowWatchBookmarks: true,
      labelSelector,
      fieldSelector,
      timeoutSeconds,
      ...(resourceVersion === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }
        : { resourceVersion }),
    },
    headers: metadataOnly === true ? { accept: metadataAccept } : undefined,
    signal: signal === undefined ? overdue : AbortSignal.any([signal, overdue]),
  });
  for await (const line of readLines(answer.body, longestEvent)) {
    if (line === "") continue;
    let value: unknown;
    try {
      value = parseJson(line);
    } catch (error) {
      throw unexpectedAnswer(describePurpose(purpose), answer, error);
    }
    if (isJsonObject(value) && value["type"] === "ERROR")
      throw new ApiError(purpose, statusOfObject(value["object"]));
    if (!isWatchEvent(value)) throw unexpectedValue(describePurpose(purpose), value, "a change");
    yield value;
  }
}

const eventTypes: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED"];

function isWatchEvent(value: unknown): value is RawWatchEvent {
  if (!isJsonObject(value)) return false;
  const { type, object } = value;
  if (type === "BOOKMARK") return isJsonObject(object) && isJsonObject(object["metadata"]);
  return eventTypes.includes(type) && isNamed(object);
}
