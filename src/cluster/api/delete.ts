import { isJsonObject, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { checkedObject } from "./check-answer.ts";
import { type ClientContext, purposeOf, sendForJson, targetOf } from "./client-context.ts";
import type { ObjectKind, ObjectReference } from "./api-resource.ts";
import type { RequestOptions } from "./read.ts";
import { resourcePath } from "./resource-path.ts";

export interface DeleteOptions extends RequestOptions {
  /** Deletes only this very object, not one of the same name that was made since. */
  readonly uid?: string | undefined;
  /** Deletes only while the object is at this version. */
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface DeleteCollectionOptions extends DeleteOptions {
  /** All namespaces are not possible: the API has no such request. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/**
 * Deletes an object; undefined when the server says that it is gone, else the object, which may stay for
 * now because of finalizers or dependents.
 */
export async function sendDelete(
  context: ClientContext,
  reference: ObjectReference,
  options: DeleteOptions = {},
): Promise<KubernetesObject | undefined> {
  const { resource, namespace, purpose } = await targetOf(context, "delete", reference);
  const { value } = await sendForJson(context, purpose, {
    method: "DELETE",
    path: resourcePath(resource, { namespace, name: reference.name }),
    headers: { "content-type": "application/json" },
    body: deleteBody(options),
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    onRetry: options.onRetry,
    fence: options.fence,
  });
  return isJsonObject(value) && value["kind"] === "Status" && value["status"] === "Success"
    ? undefined
    : checkedObject(value, purpose, resource);
}

/** Deletes every object of a kind that the selectors match. */
export async function deleteCollection(
  context: ClientContext,
  kind: ObjectKind,
  options: DeleteCollectionOptions = {},
): Promise<void> {
  const { namespace, labelSelector, fieldSelector, signal, timeoutMs, fence } = options;
  const resource = await context.resources.resource(kind);
  await sendForJson(context, purposeOf("deletecollection", resource, { namespace }), {
    method: "DELETE",
    path: resourcePath(resource, { namespace }),
    query: { labelSelector, fieldSelector },
    headers: { "content-type": "application/json" },
    body: deleteBody(options),
    signal,
    timeoutMs,
    fence,
  });
}

function deleteBody(options: DeleteOptions): string {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options;
  return stringifyJson({
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy,
    gracePeriodSeconds,
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
    ...(uid === undefined && resourceVersion === undefined
      ? {}
      : { preconditions: { uid, resourceVersion } }),
  });
}
