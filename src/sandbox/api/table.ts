import { type KubernetesObject, stringifyJson } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import type { ApiRequest, CompleteResponse } from "./request.ts";
import { columnsOf } from "./table-columns.ts";

export function wantsTable({ accept }: ApiRequest): boolean {
  return accept.includes("as=Table");
}

/** Objects as rows, the form that `kubectl get` prints. */
export function tableOf(
  context: ApiContext,
  { request, resource }: ResourceRequest,
  objects: readonly KubernetesObject[],
  metadata: Readonly<Record<string, unknown>>,
): unknown {
  const columns = columnsOf(resource);
  const includes = request.query.get("includeObject") ?? "Metadata";
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: columns.map(({ cell: _cell, ...definition }) => definition),
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, context.clock.now())),
      ...includedObject(object, includes),
    })),
  };
}

export function tableResponse(
  context: ApiContext,
  request: ResourceRequest,
  objects: readonly KubernetesObject[],
  metadata: Readonly<Record<string, unknown>>,
): CompleteResponse {
  const body = `${stringifyJson(tableOf(context, request, objects, metadata))}\n`;
  return { kind: "complete", status: 200, contentType: "application/json", body };
}

function includedObject(
  object: KubernetesObject,
  includes: string,
): Readonly<Record<string, unknown>> {
  if (includes === "None") return {};
  if (includes === "Object") return { object };
  return {
    object: {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: object.metadata,
    },
  };
}
