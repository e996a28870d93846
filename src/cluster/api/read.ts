import type { DiagnosticError } from "../../diagnostics/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { isNotFound, provesAbsence } from "./api-error.ts";
import { checkedObject, checkedPart } from "./check-answer.ts";
import { type ClientContext, sendForJson, targetOf } from "./client-context.ts";
import type { ObjectReference } from "./api-resource.ts";
import { resourcePath } from "./resource-path.ts";
import type { TransportRequest } from "../transport/transport.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** What must let the request through before it is sent: see `TransportRequest`. */
  readonly fence?: TransportRequest["fence"];
  /** Told once, when the request is still tried again after a second: why. */
  readonly onRetry?: ((cause: DiagnosticError) => void) | undefined;
}

export interface GetOptions extends RequestOptions {
  /** `status`, `scale`. */
  readonly subresource?: string | undefined;
  /** At least as new as this; "0" allows anything that the server has in its cache. */
  readonly resourceVersion?: string | undefined;
}

/** Reads one object; one that does not exist is an error. */
export async function getObject(
  context: ClientContext,
  reference: ObjectReference,
  options: GetOptions = {},
): Promise<KubernetesObject> {
  try {
    return await getOnce(context, reference, options);
  } catch (error) {
    if (!isNotFound(error) || provesAbsence(error)) throw error;
    // What is remembered of the kind may be old: it may be gone, or served under another path.
    return getOnce(context, reference, options);
  }
}

async function getOnce(
  context: ClientContext,
  reference: ObjectReference,
  { subresource, resourceVersion, ...limits }: GetOptions,
): Promise<KubernetesObject> {
  const { resource, namespace, purpose } = await targetOf(context, "get", reference, subresource);
  const { value } = await sendForJson(context, purpose, {
    method: "GET",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: { resourceVersion },
    ...limits,
  });
  return subresource === undefined
    ? checkedObject(value, purpose, resource)
    : checkedPart(value, purpose);
}

/** Reads one object; undefined only where the server says that this very object does not exist. */
export async function findObject(
  context: ClientContext,
  reference: ObjectReference,
  options: GetOptions = {},
): Promise<KubernetesObject | undefined> {
  try {
    return await getObject(context, reference, options);
  } catch (error) {
    if (provesAbsence(error)) return undefined;
    throw error;
  }
}
