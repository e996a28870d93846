import { stringifyJson, type JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { checkedObject, checkedPart } from "./check-answer.ts";
import { type ClientContext, sendForJson, type Target, targetOf } from "./client-context.ts";
import type { ObjectReference } from "./api-resource.ts";
import type { RequestOptions } from "./read.ts";
import { referenceTo } from "./reference-to.ts";
import { resourcePath } from "./resource-path.ts";

export interface ObjectWriteOptions extends RequestOptions {
  readonly fieldManager?: string | undefined;
  /** The server does everything except storing the result. */
  readonly dryRun?: boolean | undefined;
  readonly subresource?: string | undefined;
  /** What the server does about unknown and duplicate fields. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

export interface ObjectApplyOptions extends ObjectWriteOptions {
  readonly fieldManager: string;
  /** Takes fields over that other managers own. */
  readonly force?: boolean | undefined;
  /** Only creates: where an object of this name exists, the answer is a conflict and nothing changes. */
  readonly createOnly?: boolean | undefined;
}

/** No object is at this version: with it an apply can create an object, but never change one. */
const versionOfNone = "1";

export interface ApplyResult {
  readonly object: KubernetesObject;
  /** Whether the object did not exist before. */
  readonly created: boolean;
}

export type PatchType = "json" | "merge" | "strategic";

/** Server-side apply: the server merges the object into what is there, field by field. */
export async function sendApply(
  context: ClientContext,
  object: KubernetesObject,
  options: ObjectApplyOptions,
): Promise<ApplyResult> {
  const { force, createOnly, subresource, signal, timeoutMs, onRetry, fence } = options;
  const reference = referenceTo(object);
  const target = await targetOf(context, "patch", reference, subresource);
  const { resource, namespace, purpose } = target;
  const { status, value } = await sendForJson(context, purpose, {
    method: "PATCH",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: { ...writeQuery(options), force },
    // JSON is YAML, and cheaper to read for both sides.
    headers: { "content-type": "application/apply-patch+yaml" },
    body: stringifyJson(
      createOnly === true
        ? { ...object, metadata: { ...object.metadata, resourceVersion: versionOfNone } }
        : object,
    ),
    signal,
    timeoutMs,
    onRetry,
    fence,
  });
  return { object: answered(value, target, subresource), created: status === 201 };
}

export async function sendCreate(
  context: ClientContext,
  object: KubernetesObject,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs, onRetry, fence } = options;
  const reference = referenceTo(object);
  const target = await targetOf(context, "create", reference, subresource);
  const { resource, namespace, purpose } = target;
  const { value } = await sendForJson(context, purpose, {
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
    onRetry,
    fence,
  });
  return answered(value, target, subresource);
}

/** Replaces the object; with a resource version only if it is still at that version. */
export async function sendUpdate(
  context: ClientContext,
  object: KubernetesObject,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs, onRetry, fence } = options;
  const reference = referenceTo(object);
  const target = await targetOf(context, "update", reference, subresource);
  const { resource, namespace, purpose } = target;
  const { value } = await sendForJson(context, purpose, {
    method: "PUT",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: writeQuery(options),
    headers: { "content-type": "application/json" },
    body: stringifyJson(object),
    signal,
    timeoutMs,
    onRetry,
    fence,
  });
  return answered(value, target, subresource);
}

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

export async function sendPatch(
  context: ClientContext,
  reference: ObjectReference,
  type: PatchType,
  patch: JsonValue,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const { subresource, signal, timeoutMs, onRetry, fence } = options;
  const target = await targetOf(context, "patch", reference, subresource);
  const { resource, namespace, purpose } = target;
  const { value } = await sendForJson(context, purpose, {
    method: "PATCH",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: writeQuery(options),
    headers: { "content-type": patchContentTypes[type] },
    body: stringifyJson(patch),
    signal,
    timeoutMs,
    onRetry,
    fence,
  });
  return answered(value, target, subresource);
}

/** The object as the server has it now. */
function answered(
  value: unknown,
  { resource, purpose }: Target,
  subresource: string | undefined,
): KubernetesObject {
  // A status is written by a subresource, and answered as the whole object.
  return subresource === undefined || subresource === "status"
    ? checkedObject(value, purpose, resource)
    : checkedPart(value, purpose);
}

function writeQuery({
  fieldManager,
  dryRun,
  fieldValidation,
}: ObjectWriteOptions): Record<string, string | undefined> {
  return { fieldManager, dryRun: dryRun === true ? "All" : undefined, fieldValidation };
}
