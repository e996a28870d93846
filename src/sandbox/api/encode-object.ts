import { apiVersionOf, type KubernetesObject } from "../../objects/index.ts";
import { stringifyJson } from "../../json/index.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { ApiContext } from "./api-context.ts";
import { convertVersion } from "./convert-version.ts";
import { type ServedResource } from "./served-resource.ts";

/** The text of a stored object in the version that was asked for. */
export function encodeStored(stored: StoredObject, resource: ServedResource): string {
  return isStoredVersion(stored.object, resource)
    ? stored.json
    : stringifyJson(convertVersion(stored.object, resource));
}

/** The text of an object in a list: built-in kinds leave kind and apiVersion to the list. */
export function encodeListItem(stored: StoredObject, resource: ServedResource): string {
  const json = encodeStored(stored, resource);
  if (resource.custom !== undefined) return json;
  const prefix = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(apiVersionOf(resource))},`;
  return json.startsWith(prefix) ? `{${json.slice(prefix.length)}` : json;
}

export function inVersion(object: KubernetesObject, resource: ServedResource): KubernetesObject {
  return isStoredVersion(object, resource) ? object : convertVersion(object, resource);
}

function isStoredVersion(object: KubernetesObject, resource: ServedResource): boolean {
  return object.apiVersion === apiVersionOf(resource) && object.kind === resource.kind;
}

/** An object as it is stored, whatever version it was written in. */
export function inStorageVersion(
  { registry }: ApiContext,
  resource: ServedResource,
  object: KubernetesObject,
): KubernetesObject {
  if (
    resource.version === resource.storageVersion &&
    resource.storageKey === `${resource.group}/${resource.resource}`
  )
    return object;
  const stored = registry.findStored(resource.storageKey);
  return stored === undefined ? object : convertVersion(object, stored);
}
