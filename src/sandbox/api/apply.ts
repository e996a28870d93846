import type { JsonValue } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import type { Written } from "./create.ts";
import { badRequest } from "./status.ts";

/** Server-side apply: creates the object, or merges what the manager wishes into it. */
export function applyObject(
  _context: ApiContext,
  _request: ResourceRequest,
  _value: JsonValue,
): Written {
  throw badRequest("not yet");
}
