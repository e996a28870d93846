import { stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { answerFormOf } from "./answer-form.ts";
import { inVersion } from "./encode-object.ts";
import type { ApiRequest, CompleteResponse } from "./request.ts";
import { badRequest } from "./status.ts";
import { tableFormatOf } from "./tables/index.ts";

export interface TableOptions {
  /** Later tables of a watch leave the columns out. */
  readonly noHeaders?: boolean;
}

export function wantsTable(request: ApiRequest): boolean {
  return answerFormOf(request).shape === "table";
}

/** Objects as rows, the form that `kubectl get` prints. */
export function tableOf(
  context: ApiContext,
  { request, resource }: ResourceRequest,
  objects: readonly KubernetesObject[],
  metadata: Readonly<Record<string, unknown>>,
  { noHeaders = false }: TableOptions = {},
): unknown {
  const { columns, cells, conditions } = tableFormatOf(resource);
  const includes = request.query.get("includeObject") ?? "Metadata";
  if (!["", "None", "Metadata", "Object"].includes(includes)) {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: "${includes}": must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  const now = context.clock.now();
  const apiVersion = `meta.k8s.io/${answerFormOf(request).metaVersion}`;
  return {
    kind: "Table",
    apiVersion,
    metadata,
    columnDefinitions: noHeaders ? null : columns,
    rows: objects.map((object) => {
      const rowConditions = conditions?.(object);
      return {
        cells: cells(object, now),
        ...(rowConditions === undefined ? {} : { conditions: rowConditions }),
        object: includedObject(inVersion(object, resource), includes, apiVersion),
      };
    }),
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

function includedObject(object: KubernetesObject, includes: string, apiVersion: string): unknown {
  if (includes === "None") return null;
  if (includes === "Object") return object;
  return {
    kind: "PartialObjectMetadata",
    apiVersion,
    metadata: object.metadata,
  };
}
