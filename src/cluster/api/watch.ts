import type { KubernetesObject } from "../../objects/index.ts";
import { backoffMs } from "../timing.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import { type ApiError, isApiError, isExpired } from "./api-error.ts";
import type { ClientContext } from "./client-context.ts";
import type { ApiResource, ObjectKind } from "./api-resource.ts";
import { fetchList } from "./list.ts";
import { type RawWatchEvent, watchOnce } from "./watch-once.ts";

export interface WatchOptions {
  /** All namespaces when left out. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Goes on from here; left out, the watch begins with a snapshot. */
  readonly resourceVersion?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** Ends the watch, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each failure that the watch goes on after. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

export type WatchEvent =
  /** Everything that exists: at the start, and again when changes may have been missed. */
  | {
      readonly kind: "snapshot";
      readonly objects: readonly KubernetesObject[];
      readonly resourceVersion: string;
    }
  | { readonly kind: "added" | "modified" | "deleted"; readonly object: KubernetesObject }
  /** Nothing changed up to here. */
  | { readonly kind: "bookmark"; readonly resourceVersion: string };

const changeKinds = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;
const initialEventsEnd = "k8s.io/initial-events-end";
const longestBackoffMs = 5000;
/** A watch that ends sooner than this without an event is not asked for again at once. */
const shortWatchMs = 1000;

/**
 * Watches a kind until the signal ends it: goes on after lost connections and restarts of the server,
 * and begins again with a snapshot when the server no longer knows the place to go on from. Only a
 * watch that never worked fails.
 */
export async function* followObjects(
  context: ClientContext,
  kind: ObjectKind,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent> {
  const { signal, onTrouble } = options;
  const progress: Progress = { from: options.resourceVersion, worked: false, failures: 0 };
  while (!aborted(signal)) {
    const begun = context.timing.now();
    let sawEvent = false;
    try {
      const resource = await context.resources.resource(kind);
      for await (const event of watchFrom(context, kind, resource, options, progress)) {
        progress.worked = true;
        progress.failures = 0;
        sawEvent = true;
        yield event;
      }
      if (!sawEvent && context.timing.now() - begun < shortWatchMs) progress.failures++;
    } catch (error) {
      if (aborted(signal) || isClosed(error)) return;
      if (isExpired(error)) progress.from = undefined;
      else if (!progress.worked) throw error;
      else onTrouble?.(error);
      progress.failures++;
    }
    if (progress.failures === 0) continue;
    const delayMs = backoffMs(progress.failures - 1, context.timing.random(), {
      mostMs: longestBackoffMs,
    });
    await context.timing.sleep(delayMs, signal).catch(() => undefined);
  }
}

/** The signal may have been aborted since it was last looked at, which the checker cannot know. */
function aborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The client was closed: nothing will ever come again. */
function isClosed(error: unknown): boolean {
  return error instanceof ConnectionError && error.failure === "closed";
}

interface Progress {
  from: string | undefined;
  /** Whether any event ever arrived. */
  worked: boolean;
  failures: number;
}

async function* watchFrom(
  context: ClientContext,
  kind: ObjectKind,
  resource: ApiResource,
  options: WatchOptions,
  progress: Progress,
): AsyncGenerator<WatchEvent> {
  if (progress.from === undefined) {
    if (context.support.streamedLists) {
      yield* watchWithSnapshot(context, resource, options, progress);
      return;
    }
    const { items, resourceVersion } = await fetchList(context, kind, options);
    progress.from = resourceVersion;
    yield { kind: "snapshot", objects: items, resourceVersion };
  }
  for await (const event of watchOnce(context, resource, options, {
    resourceVersion: progress.from,
  })) {
    yield follow(event, progress);
  }
}

/** The server sends what exists and then the changes, in one request. */
async function* watchWithSnapshot(
  context: ClientContext,
  resource: ApiResource,
  options: WatchOptions,
  progress: Progress,
): AsyncGenerator<WatchEvent> {
  let initial: KubernetesObject[] | undefined = [];
  try {
    for await (const event of watchOnce(context, resource, options, {})) {
      if (initial === undefined) {
        yield follow(event, progress);
      } else if (event.type !== "BOOKMARK") {
        initial.push(event.object);
      } else if (event.object.metadata.annotations?.[initialEventsEnd] === "true") {
        const { resourceVersion = "" } = event.object.metadata;
        progress.from = resourceVersion;
        yield { kind: "snapshot", objects: initial, resourceVersion };
        initial = undefined;
      }
    }
  } catch (error) {
    if (initial === undefined || !refusesStreamedList(error)) throw error;
    // Older servers: list first, then watch, as the next round does.
    context.support.streamedLists = false;
  }
}

function refusesStreamedList(error: unknown): error is ApiError {
  return isApiError(error, "Invalid", "BadRequest");
}

function follow({ type, object }: RawWatchEvent, progress: Progress): WatchEvent {
  const { resourceVersion = "" } = object.metadata;
  progress.from = resourceVersion;
  if (type === "BOOKMARK") return { kind: "bookmark", resourceVersion };
  return { kind: changeKinds[type], object };
}
