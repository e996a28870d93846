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
  const sent =
    options.createOnly === true
      ? { ...object, metadata: { ...object.metadata, resourceVersion: versionOfNone } }
      : object;
  const { object: applied, status } = await send(context, options, {
    verb: "patch",
    method: "PATCH",
    reference: referenceTo(object),
    // JSON is YAML, and cheaper to read for both sides.
    contentType: "application/apply-patch+yaml",
    body: sent as unknown as JsonValue,
    query: { force: options.force },
  });
  return { object: applied, created: status === 201 };
}

export async function sendCreate(
  context: ClientContext,
  object: KubernetesObject,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const whole = { reference: referenceTo(object), body: object as unknown as JsonValue };
  return (await send(context, options, { verb: "create", method: "POST", ...whole })).object;
}

/** Replaces the object; with a resource version only if it is still at that version. */
export async function sendUpdate(
  context: ClientContext,
  object: KubernetesObject,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const whole = { reference: referenceTo(object), body: object as unknown as JsonValue };
  return (await send(context, options, { verb: "update", method: "PUT", ...whole })).object;
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
  body: JsonValue,
  options: ObjectWriteOptions = {},
): Promise<KubernetesObject> {
  const contentType = patchContentTypes[type];
  const patch = { verb: "patch", method: "PATCH", reference, contentType, body } as const;
  return (await send(context, options, patch)).object;
}

interface Write {
  readonly verb: "patch" | "create" | "update";
  readonly method: "PATCH" | "POST" | "PUT";
  readonly reference: ObjectReference;
  readonly contentType?: string;
  readonly body: JsonValue;
  readonly query?: Readonly<Record<string, boolean | undefined>>;
}

async function send(
  context: ClientContext,
  options: ObjectWriteOptions,
  { verb, method, reference, contentType = "application/json", body, query }: Write,
): Promise<{ readonly object: KubernetesObject; readonly status: number }> {
  const { subresource, signal, timeoutMs, onRetry, fence } = options;
  const target = await targetOf(context, verb, reference, subresource);
  const { resource, namespace, purpose } = target;
  // What is new has no path yet; a subresource such as a token or an eviction is created below its object.
  const name = verb === "create" && subresource === undefined ? undefined : reference.name;
  const { status, value } = await sendForJson(context, purpose, {
    method,
    path: resourcePath(resource, { namespace, name, subresource }),
    query: { ...writeQuery(options), ...query },
    headers: { "content-type": contentType },
    body: stringifyJson(body),
    signal,
    timeoutMs,
    onRetry,
    fence,
  });
  return { object: answered(value, target, subresource), status };
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
