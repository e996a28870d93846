import { type ApiError, type Cluster, isApiError, isNotFound } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** What a server says to a dry run; `missing` when the kind or the namespace is not there. */
export type ServerAnswer = "taken" | "missing" | "unknown" | ApiError;

/** Sends an object as a dry run: what is computed here finds suspects, and the server decides. */
export async function askServer(
  cluster: Pick<Cluster, "apply">,
  object: KubernetesObject,
  manager: string,
): Promise<ServerAnswer> {
  try {
    await cluster.apply(object, { fieldManager: manager, dryRun: true, force: true });
    return "taken";
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    if (isRefusal(error)) return error;
    // A dry run may not be allowed, or its kind be part of this run: nobody knows.
    return isNotFound(error) ? "missing" : "unknown";
  }
}

/** Unknown fields in an apply are an internal error to the server. */
function isRefusal(error: DiagnosticError): error is ApiError {
  if (!isApiError(error)) return false;
  const { code, reason } = error.status;
  return reason !== "NotFound" && reason !== "Forbidden" && code <= 500 && code !== 429;
}

/** An object under a name that nobody has: whether it is valid must not depend on the one that is there. */
export function underAnotherName(object: KubernetesObject): KubernetesObject {
  const name = `${(object.metadata.name ?? "").slice(0, 40)}-keelson-check`;
  return { ...object, metadata: { ...object.metadata, name } };
}
