import type { Cluster } from "../cluster/index.ts";

/**
 * Whether a namespace is being deleted: then its accounts and their rights may be gone before what they
 * wrote, and what the controller itself holds there must not keep the rest.
 */
export async function isTerminating(
  cluster: Pick<Cluster, "find">,
  namespace: string,
): Promise<boolean> {
  const found = await cluster.find({ apiVersion: "v1", kind: "Namespace", name: namespace });
  return found === undefined || found.metadata.deletionTimestamp !== undefined;
}
