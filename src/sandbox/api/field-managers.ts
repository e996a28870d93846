import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";

export interface RecordUpdate {
  readonly live: KubernetesObject | undefined;
  readonly updated: KubernetesObject;
  readonly manager: string;
}

/** Writes into an updated object who set which of its fields. */
export function recordUpdate(
  _context: ApiContext,
  _request: ResourceRequest,
  { updated }: RecordUpdate,
): KubernetesObject {
  return updated;
}
