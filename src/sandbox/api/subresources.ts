import type { ApiContext, ResourceRequest } from "./api-context.ts";
import type { ApiResponse } from "./request.ts";
import { unknownPath } from "./status.ts";

/** Answers requests for parts of an object: scale, binding, eviction, log, token and the like. */
export function handleSubresource(_context: ApiContext, _request: ResourceRequest): ApiResponse {
  throw unknownPath();
}
