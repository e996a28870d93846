import { apiVersionOf } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { checkListOptions } from "./check-list-options.ts";
import { encodeListItem } from "./encode-object.ts";
import type { CompleteResponse } from "./request.ts";
import { requireReached } from "./require-reached.ts";
import { type Selection, readSelection } from "./selection.ts";
import { badRequest, expired } from "./status.ts";
import { shapeList } from "./shape-answer.ts";

/** Where the next page begins, and of which revision. */
interface ContinueToken {
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
}

/** A page of objects, with what its metadata says. */
interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  readonly next: string | undefined;
  readonly remaining: number | undefined;
}

export function listObjects(context: ApiContext, request: ResourceRequest): CompleteResponse {
  checkListOptions(request.request, false);
  requireReached(context, request.request);
  const page = readPage(context, request, readSelection(request));
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.next === undefined ? {} : { continue: page.next }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const { resource } = request;
  const shaped = shapeList(
    context,
    request,
    page.items.map(({ object }) => object),
    metadata,
  );
  if (shaped !== undefined) {
    return { kind: "complete", status: 200, contentType: "application/json", body: `${shaped}\n` };
  }
  // Lists of custom resources write the token down even where there is none.
  const written =
    resource.custom === undefined || page.next !== undefined
      ? metadata
      : { continue: "", ...metadata };
  const items = page.items.map((stored) => encodeListItem(stored, resource)).join(",");
  const head = `{"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))}`;
  const body = `${head},"metadata":${stringifyJson(written)},"items":[${items}]}\n`;
  return { kind: "complete", status: 200, contentType: "application/json", body };
}

function readPage(
  context: ApiContext,
  { request, resource }: ResourceRequest,
  selection: Selection,
): Page {
  const limit = Number(request.query.get("limit") ?? 0) || 0;
  const token = request.query.get("continue") ?? "";
  const start = token === "" ? undefined : readToken(token);
  const revision =
    start?.revision ?? exactRevision(context, request.query) ?? context.store.revision;
  const all = objectsAt(context, resource.storageKey, selection.namespace, revision);
  const rest = start === undefined ? all : all.filter((stored) => isAfter(stored, start));
  const matching =
    selection.matches === undefined
      ? rest
      : rest.filter(({ object }) => selection.matches?.(object));
  const items = limit > 0 ? matching.slice(0, limit) : matching;
  const last = items.at(-1);
  if (items.length === matching.length || last === undefined) {
    return { items, revision, next: undefined, remaining: undefined };
  }
  const next = writeToken({ revision, namespace: last.namespace, name: last.name });
  const remaining = selection.matches === undefined ? matching.length - items.length : undefined;
  return { items, revision, next, remaining };
}

function exactRevision({ store }: ApiContext, query: URLSearchParams): number | undefined {
  const asked = query.get("resourceVersion") ?? "";
  if (asked !== "" && !/^\d+$/.test(asked)) {
    throw badRequest(
      `Invalid value: "${asked}": strconv.ParseUint: parsing "${asked}": invalid syntax`,
    );
  }
  if (query.get("resourceVersionMatch") !== "Exact") return undefined;
  if (Number(asked) > store.revision)
    throw badRequest(`Too large resource version: ${asked}, current: ${store.revision}`);
  return Number(asked);
}

/** The objects as they were at a revision, by taking back what has happened since. */
function objectsAt(
  { store }: ApiContext,
  storageKey: string,
  namespace: string | undefined,
  revision: number,
): readonly StoredObject[] {
  const current = store.list(storageKey, namespace);
  if (revision >= store.revision) return current;
  if (revision < store.history.compactedRevision) {
    throw expired(
      "The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.",
    );
  }
  const changes = store.history
    .since(revision)
    .filter(
      ({ resource, stored }) =>
        resource === storageKey && (namespace === undefined || stored.namespace === namespace),
    );
  if (changes.length === 0) return current;
  const objects = new Map(current.map((stored) => [`${stored.namespace}/${stored.name}`, stored]));
  for (const { stored, previous } of changes.toReversed()) {
    const key = `${stored.namespace}/${stored.name}`;
    if (previous === undefined) objects.delete(key);
    else objects.set(key, previous);
  }
  return [...objects.values()].sort((left, right) => (isAfter(left, right) ? 1 : -1));
}

function isAfter(
  left: { readonly namespace: string; readonly name: string },
  right: { readonly namespace: string; readonly name: string },
): boolean {
  return left.namespace === right.namespace
    ? left.name > right.name
    : left.namespace > right.namespace;
}

function writeToken(token: ContinueToken): string {
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function readToken(text: string): ContinueToken {
  try {
    const token = JSON.parse(Buffer.from(text, "base64url").toString()) as Partial<ContinueToken>;
    if (
      typeof token.revision === "number" &&
      typeof token.namespace === "string" &&
      typeof token.name === "string"
    ) {
      return token as ContinueToken;
    }
  } catch {
    // Answered below, as any other token that is not ours.
  }
  throw badRequest("continue key is not valid");
}
