import { type Cluster, isApiError, referenceTo } from "../cluster/index.ts";
import { decodeFieldsV1, encodeFieldsV1, FieldSet } from "../merge/index.ts";
import type { JsonValue, KubernetesObject } from "../objects/index.ts";

const clientSideManagers = ["kubectl-client-side-apply", "kubectl-last-applied"];

/**
 * Turns the fields that client-side `kubectl apply` left into fields that we applied, once, so that what
 * is no longer wished for goes away as it would have with kubectl. The same goes for what was patched
 * in our own name, which would else stand in the way of the next apply.
 */
export async function takeOverClientSideApply(
  cluster: Cluster,
  live: KubernetesObject,
  manager: string,
): Promise<void> {
  const entries = live.metadata.managedFields ?? [];
  const isLeftover = (entry: (typeof entries)[number]): boolean =>
    entry.operation === "Update" &&
    [...clientSideManagers, manager].includes(entry.manager ?? "") &&
    (entry.subresource ?? "") === "";
  const leftovers = entries.filter(isLeftover);
  const [first] = leftovers;
  if (first === undefined) return;
  const isOurs = (entry: (typeof entries)[number]): boolean =>
    entry.operation === "Apply" && entry.manager === manager && (entry.subresource ?? "") === "";
  const ours = entries.find(isOurs);
  const sources = ours === undefined ? leftovers : [...leftovers, ours];
  let union = new FieldSet();
  for (const { fieldsV1 } of sources)
    union = union.union(decodeFieldsV1(fieldsV1) ?? new FieldSet());
  const merged = {
    ...first,
    manager,
    operation: "Apply" as const,
    fieldsV1: encodeFieldsV1(union),
  };
  const kept = entries.filter((entry) => !isLeftover(entry) && !isOurs(entry));
  const patch = [
    { op: "replace", path: "/metadata/managedFields", value: [...kept, merged] },
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
  ];
  try {
    await cluster.patch(referenceTo(live), "json", patch as unknown as JsonValue, {
      fieldManager: manager,
    });
  } catch (error) {
    // The object changed meanwhile; the apply itself then reports any conflict.
    if (!isApiError(error, "Conflict")) throw error;
  }
}
