import type { KubernetesObject } from "../../../objects/index.ts";
import type { ResourceRequest } from "../api-context.ts";
import { forbiddenStatus, type StatusError } from "../status.ts";

/** What admission decides on: one write that is about to happen. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly request: ResourceRequest;
  /** The object as it would be stored; undefined for deletions. */
  readonly object: KubernetesObject | undefined;
  /** The object as it is stored; undefined for creations. */
  readonly old: KubernetesObject | undefined;
  readonly isDryRun: boolean;
}

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The answer of a step of admission that refuses. */
export function admissionRefusal(
  { request, object }: AdmissionAttributes,
  why: string,
): StatusError {
  return forbiddenStatus(request.resource, nameOf(request, object), why);
}

/** Names are generated after the steps that change an object. */
function nameOf({ path }: ResourceRequest, object: KubernetesObject | undefined): string {
  if (path.name !== "") return path.name;
  const { name = "", generateName = "" } = object?.metadata ?? {};
  return name || generateName || "Unknown";
}
