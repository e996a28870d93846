import { type Cluster, isApiError } from "../cluster/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { underAnotherName } from "./ask-server.ts";

/** Tries it under another name: an object that is invalid as such must not cost the one that is there. */
export async function canBeCreated(
  cluster: Cluster,
  object: KubernetesObject,
  manager: string,
): Promise<boolean> {
  try {
    await cluster.apply(underAnotherName(object), {
      fieldManager: manager,
      dryRun: true,
      force: true,
    });
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}
