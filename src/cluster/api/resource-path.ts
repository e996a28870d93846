import { apiVersionOf } from "../../objects/index.ts";
import type { ApiResource } from "./api-resource.ts";

export interface PathParts {
  /** All namespaces when left out. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of a collection, an object or a subresource. */
export function resourcePath(
  resource: ApiResource,
  { namespace, name, subresource }: PathParts,
): string {
  let path = `/${resource.group === "" ? "api" : "apis"}/${apiVersionOf(resource)}`;
  if (resource.namespaced && namespace !== undefined && namespace !== "") {
    path += `/namespaces/${encodeURIComponent(namespace)}`;
  }
  path += `/${resource.plural}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  if (subresource !== undefined) path += `/${subresource}`;
  return path;
}
