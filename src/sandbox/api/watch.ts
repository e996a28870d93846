import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { Change, ChangeType } from "../store/history.ts";
import { StoredObject } from "../store/stored-object.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { type AnswerForm, answerFormOf } from "./answer-form.ts";
import { checkListOptions } from "./check-list-options.ts";
import { encodeStored, inVersion } from "./encode-object.ts";
import type { StreamResponse, StreamSink } from "./request.ts";
import { type Selection, readSelection } from "./selection.ts";
import { type ServedResource } from "./served-resource.ts";
import { type StatusError, badRequest, expired } from "./status.ts";
import { partialMetadata } from "./shape-answer.ts";
import { tableOf } from "./table.ts";

const bookmarkMs = 60_000;
const defaultTimeoutMs = 45 * 60_000;
/** A client that does not read is cut off before it fills the memory; it comes back and lists. */
const largestBacklog = 32 * 1024 * 1024;
const initialEventsEnd = "k8s.io/initial-events-end";

/** A stream of what happens to the selected objects. */
export function watchObjects(context: ApiContext, request: ResourceRequest): StreamResponse {
  checkListOptions(request.request, true);
  const selection = readSelection(request);
  const start = readStart(request.request.query);
  return {
    kind: "stream",
    status: 200,
    contentType: "application/json",
    start: (sink) => new Watch(context, request, selection, sink).run(start),
  };
}

interface WatchStart {
  /** Undefined to begin with the objects that are there. */
  readonly since: number | undefined;
  readonly sendsInitialEvents: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

function readStart(query: URLSearchParams): WatchStart {
  const version = query.get("resourceVersion") ?? "";
  if (version !== "" && !/^\d+$/.test(version)) {
    throw badRequest(
      `Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`,
    );
  }
  const bookmarks =
    query.get("allowWatchBookmarks") === "true" || query.get("allowWatchBookmarks") === "1";
  const sendsInitialEvents = query.get("sendInitialEvents") === "true";
  const seconds = Number(query.get("timeoutSeconds") ?? 0) || 0;
  return {
    since: version === "" || version === "0" || sendsInitialEvents ? undefined : Number(version),
    sendsInitialEvents,
    bookmarks,
    timeoutMs: seconds > 0 ? seconds * 1000 : defaultTimeoutMs,
  };
}

class Watch {
  readonly #context: ApiContext;
  readonly #request: ResourceRequest;
  readonly #selection: Selection;
  readonly #sink: StreamSink;
  readonly #form: AnswerForm;
  #hasSentColumns = false;
  #stops: (() => void)[] = [];

  constructor(
    context: ApiContext,
    request: ResourceRequest,
    selection: Selection,
    sink: StreamSink,
  ) {
    this.#context = context;
    this.#request = request;
    this.#selection = selection;
    this.#sink = sink;
    this.#form = answerFormOf(request.request);
  }

  run(start: WatchStart): () => void {
    const { store, clock } = this.#context;
    if (start.since !== undefined && start.since < store.history.compactedRevision) {
      this.#refuse(
        expired(`too old resource version: ${start.since} (${store.history.compactedRevision})`),
      );
      return () => {};
    }
    if (start.since === undefined) this.#sendExisting();
    else for (const change of store.history.since(start.since)) this.#offer(change);
    if (start.sendsInitialEvents && start.bookmarks) this.#bookmark({ [initialEventsEnd]: "true" });
    this.#stops.push(store.subscribe((change) => this.#offer(change)));
    if (start.bookmarks) this.#bookmarkRegularly();
    this.#stops.push(
      clock.after(start.timeoutMs, () => {
        if (start.bookmarks) this.#bookmark();
        this.stop();
        this.#sink.end();
      }),
    );
    return () => {
      this.stop();
    };
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #sendExisting(): void {
    const { storageKey } = this.#request.resource;
    for (const stored of this.#context.store.list(storageKey, this.#selection.namespace)) {
      if (this.#selection.matches?.(stored.object) ?? true) this.#send("ADDED", stored);
    }
  }

  #offer({ type, resource, stored, previous }: Change): void {
    if (resource !== this.#request.resource.storageKey) return;
    const { namespace, matches } = this.#selection;
    if (namespace !== undefined && namespace !== stored.namespace) return;
    if (matches === undefined) {
      this.#send(type, stored);
      return;
    }
    // An object that comes into the selection is added for this watcher, one that leaves it deleted.
    const isIn = type !== "DELETED" && matches(stored.object);
    const wasIn = previous !== undefined && matches(previous.object);
    if (isIn) this.#send(wasIn ? "MODIFIED" : "ADDED", stored);
    else if (wasIn) this.#send("DELETED", type === "DELETED" ? stored : lastSeen(previous, stored));
  }

  #send(type: ChangeType, stored: StoredObject): void {
    if (this.#sink.backlog() > largestBacklog) {
      this.stop();
      this.#sink.end();
      return;
    }
    this.#sink.write(`{"type":"${type}","object":${this.#encode(stored)}}\n`);
    this.#hasSentColumns = true;
  }

  #encode(stored: StoredObject): string {
    const { resource } = this.#request;
    switch (this.#form.shape) {
      case "table":
        return stringifyJson(
          tableOf(
            this.#context,
            this.#request,
            [stored.object],
            { resourceVersion: String(stored.revision) },
            { noHeaders: this.#hasSentColumns },
          ),
        );
      case "metadata":
        return stringifyJson(
          partialMetadata(inVersion(stored.object, resource).metadata, this.#form),
        );
      case "object":
      case "metadata-list":
        return encodeStored(stored, resource);
    }
  }

  #refuse(error: StatusError): void {
    this.#sink.write(`${stringifyJson({ type: "ERROR", object: error.status })}\n`);
    this.#sink.end();
  }

  #bookmarkRegularly(): void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.#context.clock.after(bookmarkMs, () => {
        this.#bookmark();
        again();
      });
    };
    again();
    this.#stops.push(() => {
      cancel();
    });
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const bookmark = bookmarkOf(this.#request.resource, this.#context.store.revision, annotations);
    const object =
      this.#form.shape === "metadata" ? partialMetadata(bookmark.metadata, this.#form) : bookmark;
    this.#sink.write(`${stringifyJson({ type: "BOOKMARK", object })}\n`);
  }
}

function bookmarkOf(
  resource: ServedResource,
  revision: number,
  annotations: Readonly<Record<string, string>> | undefined,
): KubernetesObject {
  return {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: String(revision),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}

/** The object as the watcher last knew it, with the revision at which it left the selection. */
function lastSeen(previous: StoredObject, left: StoredObject): StoredObject {
  const metadata = { ...previous.object.metadata, resourceVersion: String(left.revision) };
  return StoredObject.fromObject({ ...previous.object, metadata }, left.revision);
}
