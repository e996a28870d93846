import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { decodeObject, strictDecodingError, unknownFieldWarnings } from "../../schema/index.ts";
import type { ResourceRequest } from "./api-context.ts";
import { badRequest } from "./status.ts";
import { strategyOf } from "./strategy.ts";

export interface CompletedObject {
  readonly object: KubernetesObject;
  readonly warnings: readonly string[];
}

/** What a client sent, as the server understands it: pruned, normalised, defaulted. */
export function completeObject(request: ResourceRequest, sent: KubernetesObject): CompletedObject {
  const { resource } = request;
  const { schema, kind, version } = resource;
  const warnings: string[] = [];
  if (schema === undefined) return { object: sent, warnings };
  const decoded = decodeObject(schema, sent as unknown as JsonObject);
  const prefix = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
  if (decoded.problems.length > 0) throw badRequest(`${prefix}: ${decoded.problems.join(", ")}`);
  if (decoded.unknownFields.length > 0) {
    const mode = request.request.query.get("fieldValidation") ?? "Warn";
    if (mode === "Strict") {
      const error = strictDecodingError(decoded.unknownFields);
      throw badRequest(`${prefix}: ${error}`);
    }
    if (mode === "Warn") warnings.push(...unknownFieldWarnings(decoded.unknownFields));
  }
  const object = withClearedManagers(sent, decoded.object as unknown as KubernetesObject);
  return { object: strategyOf(resource).decode?.(object) ?? object, warnings };
}

/** An empty list means nothing to the server, except here: it asks to forget who wrote what. */
function withClearedManagers(sent: KubernetesObject, decoded: KubernetesObject): KubernetesObject {
  const { managedFields } = sent.metadata as { readonly managedFields?: unknown };
  if (!Array.isArray(managedFields) || managedFields.length > 0) return decoded;
  return { ...decoded, metadata: { ...decoded.metadata, managedFields: [] } };
}
