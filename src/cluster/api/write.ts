import { stringifyJson } from "../../objects/index.ts";
import type { JsonValue, KubernetesObject } from "../../objects/index.ts";
import { sendForJson, targetOf } from "./api-context.ts";
import type { ApiContext } from "./api-context.ts";
import type { ObjectReference } from "./api-resource.ts";
import type { RequestOptions } from "./read.ts";
import { referenceTo } from "./reference-to.ts";
import { resourcePath } from "./resource-path.ts";

export interface WriteOptions extends RequestOptions {
  readonly fieldManager?: string | undefined;
  /** The server does everything except storing the result. */
  readonly dryRun?: boolean | undefined;
  readonly subresource?: string | undefined;
  /** What the server does about unknown and duplicate fields. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields over that other managers own. */
  readonly force?: boolean | undefined;
}

export interface ApplyResult {
  readonly object: KubernetesObject;
  /** Whether the object did not exist before. */
  readonly created: boolean;
}

export type PatchType = "json" | "merge" | "strategic";

/** Server-side apply: the server merges the object into what is there, field by field. */
export async function applyObject(
  context: ApiContext,
  object: KubernetesObject,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { force, subresource, signal, timeoutMs } = options;
  const reference = referenceTo(object);
  const { resource, namespace, purpose } = await targetOf(context, "patch", reference, subresource);
  const { status, value } = await sendForJson<KubernetesObject>(context, purpose, {
    method: "PATCH",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: { ...writeQuery(options), force },
    // JSON is YAML, and cheaper to read for both sides.
    headers: { "content-type": "application/apply-patch+yaml" },
    body: stringifyJson(object),
    signal,
    timeoutMs,
  });
  return { object: value, created: status === 201 };
}

export async function createObject(
  context: ApiContext,
  object: KubernetesObject,
  options: WriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs } = options;
  const reference = referenceTo(object);
  const { resource, namespace, purpose } = await targetOf(
    context,
    "create",
    reference,
    subresource,
  );
  const { value } = await sendForJson<KubernetesObject>(context, purpose, {
    method: "POST",
    path: resourcePath(resource, {
      namespace,
      // A subresource such as a token or an eviction is created below its object.
      name: subresource === undefined ? undefined : reference.name,
      subresource,
    }),
    query: writeQuery(options),
    headers: { "content-type": "application/json" },
    body: stringifyJson(object),
    signal,
    timeoutMs,
  });
  return value;
}

/** Replaces the object; with a resource version only if it is still at that version. */
export async function updateObject(
  context: ApiContext,
  object: KubernetesObject,
  options: WriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs } = options;
  const reference = referenceTo(object);
  const { resource, namespace, purpose } = await targetOf(
    context,
    "update",
    reference,
    subresource,
  );
  const { value } = await sendForJson<KubernetesObject>(context, purpose, {
    method: "PUT",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: writeQuery(options),
    headers: { "content-type": "application/json" },
    body: stringifyJson(object),
    signal,
    timeoutMs,
  });
  return value;
}

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

export async function patchObject(
  context: ApiContext,
  reference: ObjectReference,
  type: PatchType,
  patch: JsonValue,
  options: WriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs } = options;
  const { resource, namespace, purpose } = await targetOf(context, "patch", reference, subresource);
  const { value } = await sendForJson<KubernetesObject>(context, purpose, {
    method: "PATCH",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: writeQuery(options),
    headers: { "content-type": patchContentTypes[type] },
    body: stringifyJson(patch),
    signal,
    timeoutMs,
  });
  return value;
}

function writeQuery({
  fieldManager,
  dryRun,
  fieldValidation,
}: WriteOptions): Record<string, string | undefined> {
  return { fieldManager, dryRun: dryRun === true ? "All" : undefined, fieldValidation };
}
