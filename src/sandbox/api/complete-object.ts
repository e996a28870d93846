import type { KubernetesObject } from "../../objects/index.ts";
import type { ResourceRequest } from "./api-context.ts";

/** What a client sent, as the server understands it: pruned, defaulted, normalised. */
export function completeObject(
  _request: ResourceRequest,
  object: KubernetesObject,
): { readonly object: KubernetesObject; readonly warnings: readonly string[] } {
  return { object, warnings: [] };
}
