import type { ApiContext } from "../api-context.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { requireLimits } from "./limit-ranges.ts";
import { requireOneDefault } from "./priority.ts";

/** What the server itself refuses because of other objects than the one that is written. */
export function builtinValidations(context: ApiContext, attributes: AdmissionAttributes): void {
  const { operation, request, old } = attributes;
  const { resource, path } = request;
  if (operation === "DELETE" || operation === "CONNECT") return;
  const { storageKey } = resource;
  if (storageKey === "scheduling.k8s.io/priorityclasses" && path.subresource === "") {
    requireOneDefault(context, attributes);
  }
  const isPod = storageKey === "/pods" && (operation === "CREATE" || path.subresource === "resize");
  const isClaim = storageKey === "/persistentvolumeclaims" && path.subresource === "";
  if ((isPod || isClaim) && old?.metadata.deletionTimestamp === undefined) {
    requireLimits(context, attributes);
  }
}
