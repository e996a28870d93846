import type { KubernetesObject, ManagedFieldsEntry } from "../objects/index.ts";
import { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

const clientSideManagers = ["kubectl-client-side-apply", "kubectl-last-applied"];

/**
 * The managed fields of an object when what client-side `kubectl apply` left counts as applied by us, and
 * so does what was patched in our own name; undefined when there is nothing of either.
 */
export function takenOver(
  live: KubernetesObject,
  manager: string,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const isLeftover = (entry: ManagedFieldsEntry): boolean =>
    entry.operation === "Update" &&
    [...clientSideManagers, manager].includes(entry.manager ?? "") &&
    (entry.subresource ?? "") === "";
  const leftovers = entries.filter(isLeftover);
  const [first] = leftovers;
  if (first === undefined) return undefined;
  const isOurs = (entry: ManagedFieldsEntry): boolean =>
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
  return [...entries.filter((entry) => !isLeftover(entry) && !isOurs(entry)), merged];
}
