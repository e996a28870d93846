import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { isExpired } from "./api-error.ts";
import { type CheckedList, checkedList } from "./check-answer.ts";
import { type ClientContext, purposeOf, sendForJson } from "./client-context.ts";
import type { ApiResource, ObjectKind } from "./api-resource.ts";
import type { RequestOptions } from "./read.ts";
import { resourcePath } from "./resource-path.ts";

export interface ListOptions extends RequestOptions {
  /** All namespaces when left out. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** How many objects one request asks for; 0 asks for all at once. */
  readonly pageSize?: number | undefined;
  /** "0" allows what the server has in its cache; without it the newest is read. */
  readonly resourceVersion?: string | undefined;
  /** Only apiVersion, kind and metadata of each object. */
  readonly metadataOnly?: boolean | undefined;
}

export interface ObjectList {
  readonly items: readonly KubernetesObject[];
  /** Where a watch goes on from. */
  readonly resourceVersion: string;
}

const defaultPageSize = 500;
const mostPages = 100_000;
const metadataAccept =
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** Lists all objects, page by page. */
export async function fetchList(
  context: ClientContext,
  kind: ObjectKind,
  options: ListOptions = {},
): Promise<ObjectList> {
  let items: readonly KubernetesObject[] = [];
  let resourceVersion = "";
  for await (const page of listPages(context, kind, options)) {
    items = page.restarted || items.length === 0 ? page.items : items.concat(page.items);
    resourceVersion = page.resourceVersion;
  }
  return { items, resourceVersion };
}

export interface ListPage extends ObjectList {
  /** The pages before this one no longer count: their snapshot expired, this one holds everything. */
  readonly restarted: boolean;
}

/** Lists objects a page at a time, so that not all of them need to be held. */
export async function* listPages(
  context: ClientContext,
  kind: ObjectKind,
  options: ListOptions = {},
): AsyncGenerator<ListPage> {
  const resource = await context.resources.resource(kind);
  let next: string | undefined;
  let pageSize = options.pageSize ?? defaultPageSize;
  let restarted = false;
  for (let page = 0; page < mostPages; page++) {
    let answer: CheckedList;
    try {
      answer = await listOnce(context, resource, options, pageSize, next);
    } catch (error) {
      if (!isExpired(error) || next === undefined) throw error;
      // The snapshot that the pages came from is gone. One request for all cannot expire midway.
      next = undefined;
      pageSize = 0;
      restarted = true;
      continue;
    }
    yield {
      items: answer.items.map((item) => withKind(resource, item)),
      resourceVersion: answer.resourceVersion,
      restarted,
    };
    restarted = false;
    ({ next } = answer);
    if (next === undefined) return;
  }
}

async function listOnce(
  context: ClientContext,
  resource: ApiResource,
  options: ListOptions,
  pageSize: number,
  next: string | undefined,
): Promise<CheckedList> {
  const {
    namespace,
    labelSelector,
    fieldSelector,
    resourceVersion,
    metadataOnly,
    signal,
    timeoutMs,
  } = options;
  const purpose = purposeOf("list", resource, { namespace });
  const { value } = await sendForJson(context, purpose, {
    method: "GET",
    path: resourcePath(resource, { namespace }),
    query: {
      labelSelector,
      fieldSelector,
      limit: pageSize === 0 ? undefined : pageSize,
      continue: next,
      resourceVersion: next === undefined ? resourceVersion : undefined,
    },
    headers: metadataOnly === true ? { accept: metadataAccept } : undefined,
    signal,
    timeoutMs,
  });
  return checkedList(value, purpose);
}

/** Objects in a list come without apiVersion and kind; objects that stand alone have them. */
function withKind(resource: ApiResource, item: KubernetesObject): KubernetesObject {
  return { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind };
}
