/**
 * OpenAPI documents of everything that is served: version 3, a document for each group and version,
 * and version 2, one for all. They are made when asked for, from the schemas, and kept until what is
 * served changes.
 */
import { apiVersionOf } from "../../../objects/index.ts";
import { createHash } from "node:crypto";
import { stringifyJson } from "../../../json/index.ts";
import { loadBuiltinDescriptions } from "../../../schema/index.ts";
import type { ApiRequest, CompleteResponse, StreamResponse } from "../request.ts";
import type { ResourceRegistry } from "../resource-registry.ts";
import { type ServedResource } from "../served-resource.ts";
import { parseAccept } from "../answer-form.ts";
import { notAcceptable } from "../status.ts";
import { type Descriptions, documentV3 } from "./document-v3.ts";
import { documentV2 } from "./document-v2.ts";
import { encodeDocumentV2 } from "./encode-document-v2.ts";

const v2Protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** No media type may hold an `@`, but older clients ask with one. */
const v2ProtobufDeprecated = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/** Answers what is asked under `/openapi`; undefined for other paths. */
export function openApi(
  registry: ResourceRegistry,
  request: ApiRequest,
): CompleteResponse | StreamResponse | undefined {
  if (request.path === "/openapi/v2") return openApiV2(registry, request);
  if (request.path === "/openapi/v3") return index(registry);
  const path = /^\/openapi\/v3\/(.+?)\/?$/.exec(request.path)?.[1];
  if (path === undefined) return undefined;
  const resources = groupVersionsByPath(registry).get(path);
  if (resources === undefined) return undefined;
  return document(registry, path, (descriptions) => documentV3(resources, descriptions));
}

/** The form of the first type that the client accepts and this server writes. */
function openApiV2(registry: ResourceRegistry, { accept }: ApiRequest): StreamResponse {
  const types = parseAccept(accept).map(({ type }) => type);
  const form = types.map(formOfV2).find((each) => each !== undefined);
  if (form === undefined) throw notAcceptable("406: Not Acceptable", {});
  return document(
    registry,
    `v2 ${form}`,
    (descriptions) => documentV2(registry.all(), descriptions),
    form === "json" ? jsonForm : { contentType: v2Protobuf, encode: encodeDocumentV2 },
  );
}

function formOfV2(type: string): "json" | "protobuf" | undefined {
  if (["application/json", "application/*", "*/*"].includes(type)) return "json";
  return type === v2Protobuf || type === v2ProtobufDeprecated ? "protobuf" : undefined;
}

function index(registry: ResourceRegistry): CompleteResponse | StreamResponse {
  const paths = Object.fromEntries(
    [...groupVersionsByPath(registry)].map(([path, resources]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(resources)}` },
    ]),
  );
  const body = stringifyJson({ paths });
  return { kind: "complete", status: 200, contentType: "application/json", body };
}

/** Changes whenever the document would. */
function hashOf(resources: readonly ServedResource[]): string {
  const hash = createHash("sha512").update("v1.36.3");
  for (const resource of resources) {
    hash.update(`${apiVersionOf(resource)}/${resource.resource}`);
    if (resource.custom !== undefined) {
      hash.update(stringifyJson(resource.custom.definition["spec"]));
    }
  }
  return hash.digest("hex").toUpperCase();
}

/** Resources by the path of their document, such as `apis/apps/v1`, ordered by path. */
function groupVersionsByPath(
  registry: ResourceRegistry,
): ReadonlyMap<string, readonly ServedResource[]> {
  const found = new Map<string, ServedResource[]>();
  for (const resource of registry.all()) {
    const prefix = resource.group === "" ? "api" : "apis";
    const path = `${prefix}/${apiVersionOf(resource)}`;
    const known = found.get(path);
    if (known === undefined) found.set(path, [resource]);
    else known.push(resource);
  }
  return new Map([...found].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Documents by what is served; a change of that makes a new list, and the old one is forgotten. */
const documents = new WeakMap<readonly ServedResource[], Map<string, string | Uint8Array>>();

/** How a document is written. */
interface DocumentForm {
  readonly contentType: string;
  readonly encode: (document: unknown) => string | Uint8Array;
}

const jsonForm: DocumentForm = { contentType: "application/json", encode: stringifyJson };

/** A document is sent as a stream, because the descriptions in it may have to be loaded first. */
function document(
  registry: ResourceRegistry,
  key: string,
  make: (descriptions: Descriptions) => unknown,
  { contentType, encode }: DocumentForm = jsonForm,
): StreamResponse {
  const served = registry.all();
  const known = documents.get(served) ?? new Map<string, string | Uint8Array>();
  documents.set(served, known);
  return {
    kind: "stream",
    status: 200,
    contentType,
    start: (sink) => {
      let isOpen = true;
      const send = async (): Promise<void> => {
        const encoded = known.get(key) ?? encode(make(await loadDescriptions()));
        known.set(key, encoded);
        if (!isOpen) return;
        sink.write(encoded);
        sink.end();
      };
      void send();
      return () => {
        isOpen = false;
      };
    },
  };
}

let loading: Promise<Descriptions> | undefined;

function loadDescriptions(): Promise<Descriptions> {
  loading ??= loadBuiltinDescriptions();
  return loading;
}
