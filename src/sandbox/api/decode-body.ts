import { type JsonValue, parseJson } from "../../json/index.ts";
import { parseYamlValue } from "../../objects/index.ts";
import { badRequest, unsupportedMediaType } from "./status.ts";

const jsonTypes = ["application/json", ""];
const yamlTypes = ["application/yaml", "application/x-yaml", "text/yaml"];
const allowedTypes = ["application/json", "application/yaml"];

export const applyPatchTypes = ["application/apply-patch+yaml"];

/** The body of a request as a value: JSON, or YAML as an API server reads it. */
export function decodeBody(body: string, contentType: string): JsonValue {
  const type = mediaType(contentType);
  if (jsonTypes.includes(type)) return decodeJsonBody(body);
  if (yamlTypes.includes(type) || applyPatchTypes.includes(type)) return decodeYaml(body);
  throw unsupportedMediaType(type, allowedTypes);
}

export function decodeJsonBody(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${messageOf(error)}`);
  }
}

/** Bodies of apply are YAML, of which JSON is a part; JSON is tried first because it is faster. */
export function decodeYaml(body: string): JsonValue {
  if (/^\s*\{/.test(body)) {
    try {
      return parseJson(body);
    } catch {
      // It may still be YAML in flow style.
    }
  }
  const parsed = parseYamlValue(body);
  if (parsed.kind === "value") return parsed.value;
  throw badRequest(`error decoding YAML: ${parsed.message}`);
}

export function mediaType(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
