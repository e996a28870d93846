import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";

/** Refuses an object that breaks the rules of its kind. */
export function validateObject(
  _context: ApiContext,
  _request: ResourceRequest,
  _object: KubernetesObject,
  _old: KubernetesObject | undefined,
): void {}
