import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { ResourceRequest } from "./api-context.ts";
import { badRequest } from "./status.ts";

/** A decoded body as an object of the resource that the path names. */
export function readObject(
  value: JsonValue,
  { resource, path }: ResourceRequest,
): KubernetesObject {
  if (!isJsonObject(value)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go value of type struct`,
    );
  }
  const apiVersion = apiVersionOf(resource);
  const kind = value["kind"];
  if (kind !== undefined && typeof kind !== "string")
    throw badRequest("couldn't get version/kind; kind must be a string");
  if ((kind ?? "") === "" && resource.custom !== undefined)
    throw badRequest("Object 'Kind' is missing in request body");
  if (typeof kind === "string" && kind !== "" && kind !== resource.kind) {
    throw badRequest(
      `${kind} in version ${JSON.stringify(typeof value["apiVersion"] === "string" ? value["apiVersion"].split("/").at(-1) : "")} cannot be handled as a ${resource.kind}: converting (${kind}) to (${resource.kind}): unknown conversion`,
    );
  }
  const written = value["apiVersion"];
  if (typeof written === "string" && written !== "" && written !== apiVersion) {
    throw badRequest(
      `the API version in the data (${written}) does not match the expected API version (${apiVersion})`,
    );
  }
  const metadata = value["metadata"] ?? {};
  if (!isJsonObject(metadata)) {
    throw badRequest(
      `${resource.kind} in version ${JSON.stringify(resource.version)} cannot be handled as a ${resource.kind}: json: cannot unmarshal ${jsonType(metadata)} into Go struct field ${resource.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  requireMetadataTypes(metadata, resource.kind, resource.version);
  const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...rest } = value;
  const name = metadata["name"];
  if (path.name !== "" && typeof name === "string" && name !== "" && name !== path.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${path.name})`,
    );
  }
  return { kind: resource.kind, apiVersion, metadata, ...rest };
}

const stringFields = ["name", "namespace", "generateName", "uid", "resourceVersion"];
const mapFields = ["labels", "annotations"];

function requireMetadataTypes(metadata: JsonObject, kind: string, version: string): void {
  const refuse = (field: string, value: JsonValue): never => {
    throw badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: json: cannot unmarshal ${jsonType(value)} into Go struct field ObjectMeta.metadata.${field} of type string`,
    );
  };
  for (const field of stringFields) {
    const value = metadata[field];
    if (value !== undefined && value !== null && typeof value !== "string") refuse(field, value);
  }
  for (const field of mapFields) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (!isJsonObject(map)) refuse(field, map);
    for (const value of Object.values(map as JsonObject)) {
      if (typeof value !== "string" && value !== null) refuse(field, value);
    }
  }
}

function jsonType(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
