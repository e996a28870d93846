import { isJsonObject, type JsonValue } from "../json/index.ts";
import { objectMetaSchema } from "../schema/crd-schema.ts";
import { makeProvisioned } from "./provisioned/index.ts";
import { schemaOfKind } from "./k8s/kubernetes-kind.ts";
import { objectView } from "./object-view.ts";
import { currentRun } from "./evaluation-run.ts";
import type { ResourceRecord } from "./resource-record.ts";

/** A resource is not a promise and not JSON, whatever its fields may be called. */
const neverFields: ReadonlySet<string> = new Set(["then", "toJSON"]);

/** What a program reads of a resource where its class has no field of that name. */
export function readField(
  record: ResourceRecord,
  key: string,
  known: JsonValue | undefined,
): unknown {
  if (neverFields.has(key)) return undefined;
  const { object } = record;
  if (object === undefined) return noteRead(record, [key], record.props[key]);
  if (key === "apiVersion") return object.kind.apiVersion;
  if (key === "kind") return object.kind.kind;
  const schema = schemaOfKind(object.kind);
  const field = key === "metadata" ? objectMetaSchema() : schema?.properties?.get(key);
  if (schema !== undefined && field === undefined) return undefined;
  const value = key === "metadata" ? metadataOf(record) : record.props[key];
  return objectView(value, field, {
    path: [key],
    readUnset: (path) => readUnset(record, path, known),
    onRead: (path, read) => {
      if (path.join(".") === "metadata.name") noteRead(record, path, read);
    },
    record,
  });
}

/** A value that the provider fills in: known from an earlier stage, or not known yet. */
export function readUnset(
  record: ResourceRecord,
  path: readonly (string | number)[],
  known: JsonValue | undefined,
): unknown {
  if (known === undefined) return makeProvisioned({ resource: record, path });
  let value: JsonValue | undefined = known;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return noteRead(record, path, structuredClone(value));
}

/** Remembers what identifies a resource: the name of an object, and what a provider was given. */
function noteRead(
  record: ResourceRecord,
  path: readonly (string | number)[],
  value: unknown,
): unknown {
  if (typeof value === "string" && record.kind !== "composite") {
    currentRun().reads.note(value, { resource: record.name, path });
  }
  return value;
}

/** Without the name where the final one is only known when the object is made. */
function metadataOf({ props, object }: ResourceRecord): unknown {
  const metadata = props["metadata"] ?? {};
  if (object === undefined || object.naming === "fixed" || !isJsonObject(metadata)) return metadata;
  const { name: _, ...rest } = metadata;
  return rest;
}
