import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, isApiError, referenceTo } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { readinessOf } from "../readiness/index.ts";
import { groupDefinition } from "./group-definition.ts";
import { groupApiVersion, groupKind } from "./group-names.ts";

const pauseMs = 250;
const mostAttempts = 12;

/**
 * Whether the cluster knows the kind of inventories; undefined where the user may not find out. That
 * discovery does not name it is believed only when its definition is not there either: a server that has
 * just started, or one that leaves groups out, would otherwise make all that is owned look like nothing.
 */
export async function servesInventories(cluster: Cluster): Promise<boolean | undefined> {
  const isServed = async (resources: ReturnType<Cluster["resources"]>): Promise<boolean> =>
    (await resources).preferred("kpt.dev", groupKind) !== undefined;
  if (await isServed(cluster.resources())) return true;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (await isServed(cluster.refreshResources())) return true;
    const definition = await findDefinition(cluster);
    if (definition === undefined) return false;
    if (definition === "forbidden") return undefined;
    // Somebody installs it just now: nothing can be in it yet.
    if (readinessOf(definition, { now: 0 }).status !== "Current") return false;
    await pause(pauseMs);
  }
  return fail({
    code: "live.inventories-not-served",
    summary: `the definition of ${groupKind} is there, but the API server does not serve ${groupApiVersion}; what is owned cannot be told`,
    hint: "wait until the API server has started completely, then run it again",
  });
}

async function findDefinition(
  cluster: Cluster,
): Promise<KubernetesObject | "forbidden" | undefined> {
  try {
    return await cluster.find(referenceTo(groupDefinition));
  } catch (error) {
    if (isApiError(error, "Forbidden")) return "forbidden";
    throw error;
  }
}
