import type { ApiResponse } from "./request.ts";
import type { ServedResource } from "./served-resource.ts";

const deprecatedBuiltins: Readonly<Record<string, string>> = {
  "/endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  "/componentstatuses": "v1 ComponentStatus is deprecated in v1.19+",
};

/** Whoever asks for a deprecated built-in kind is told so, before anything else. */
export function withDeprecation(resource: ServedResource, response: ApiResponse): ApiResponse {
  if (resource.custom !== undefined) return response;
  const warning = deprecatedBuiltins[resource.storageKey];
  if (warning === undefined || response.kind !== "complete") return response;
  return { ...response, warnings: [warning, ...(response.warnings ?? [])] };
}
