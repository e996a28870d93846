import type { KubernetesObject } from "../../objects/index.ts";
import { isNotFound } from "./api-error.ts";
import { sendForJson, targetOf } from "./api-context.ts";
import type { ApiContext } from "./api-context.ts";
import type { ObjectReference } from "./api-resource.ts";
import { resourcePath } from "./resource-path.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface GetOptions extends RequestOptions {
  /** `status`, `scale`. */
  readonly subresource?: string | undefined;
  /** At least as new as this; "0" allows anything that the server has in its cache. */
  readonly resourceVersion?: string | undefined;
}

/** Reads one object; one that does not exist is an error. */
export async function getObject(
  context: ApiContext,
  reference: ObjectReference,
  { subresource, resourceVersion, ...limits }: GetOptions = {},
): Promise<KubernetesObject> {
  const { resource, namespace, purpose } = await targetOf(context, "get", reference, subresource);
  const { value } = await sendForJson<KubernetesObject>(context, purpose, {
    method: "GET",
    path: resourcePath(resource, { namespace, name: reference.name, subresource }),
    query: { resourceVersion },
    ...limits,
  });
  return value;
}

/** Reads one object, or undefined when it does not exist. */
export async function findObject(
  context: ApiContext,
  reference: ObjectReference,
  options: GetOptions = {},
): Promise<KubernetesObject | undefined> {
  try {
    return await getObject(context, reference, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
