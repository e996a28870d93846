import type { ApiContext } from "./api-context.ts";
import type { ApiRequest } from "./request.ts";
import { tooLargeVersion } from "./status.ts";

/** Refuses to show a state that has not been reached. */
export function requireReached({ store }: ApiContext, { query }: ApiRequest): void {
  const version = query.get("resourceVersion") ?? "";
  if (/^\d+$/.test(version) && Number(version) > store.revision) {
    throw tooLargeVersion(version, store.revision);
  }
}
