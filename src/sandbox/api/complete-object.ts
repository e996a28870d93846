import type { JsonObject, KubernetesObject } from "../../objects/index.ts";
import { decodeObject, strictDecodingError, unknownFieldWarnings } from "../../schema/index.ts";
import type { ResourceRequest } from "./api-context.ts";
import { StatusError, badRequest } from "./status.ts";

export interface CompletedObject {
  readonly object: KubernetesObject;
  readonly warnings: readonly string[];
}

/** What a client sent, as the server understands it: pruned, normalised, defaulted. */
export function completeObject(request: ResourceRequest, sent: KubernetesObject): CompletedObject {
  const { resource } = request;
  const { schema, kind, version } = resource;
  const deprecation = resource.custom?.deprecationWarning;
  const warnings = deprecation === undefined ? [] : [deprecation];
  if (schema === undefined) return { object: sent, warnings };
  const decoded = decodeObject(schema, sent as unknown as JsonObject);
  const prefix = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
  if (decoded.problems.length > 0) throw badRequest(`${prefix}: ${decoded.problems.join(", ")}`);
  if (decoded.unknownFields.length > 0) {
    const mode = validationMode(request);
    if (mode === "Strict") {
      const error = strictDecodingError(decoded.unknownFields);
      throw badRequest(resource.custom === undefined ? `${prefix}: ${error}` : error);
    }
    if (mode === "Warn") warnings.push(...unknownFieldWarnings(decoded.unknownFields));
  }
  return { object: decoded.object as unknown as KubernetesObject, warnings };
}

const modes = ["Ignore", "Warn", "Strict"];

function validationMode({ request }: ResourceRequest): string {
  const mode = request.query.get("fieldValidation") ?? "";
  if (mode === "") return "Warn";
  if (modes.includes(mode)) return mode;
  const message = `fieldValidation: Unsupported value: ${JSON.stringify(mode)}: supported values: "", "Ignore", "Strict", "Warn"`;
  throw new StatusError(422, "Invalid", `CreateOptions.meta.k8s.io "" is invalid: ${message}`, {
    group: "meta.k8s.io",
    kind: "CreateOptions",
  });
}
