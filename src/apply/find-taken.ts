import { type Cluster, isApiError, referenceTo } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** The object that has a name which was to be taken, read by whoever was to write it. */
export async function findTaken(
  cluster: Cluster,
  object: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  try {
    return await cluster.find(referenceTo(object));
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
    throw new DiagnosticError([
      {
        code: "controller.name-taken",
        severity: "error",
        summary: `${object.kind} ${object.metadata.name ?? ""} exists, and whose it is cannot be seen: ${error.message}`,
      },
    ]);
  }
}
