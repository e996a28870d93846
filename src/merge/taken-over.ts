import type { KubernetesObject, ManagedFieldsEntry } from "../objects/index.ts";
import { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

/** Somebody whose fields become ours. */
export interface FormerOwner {
  readonly owns: (entry: ManagedFieldsEntry) => boolean;
  /** Fields of its own, which nobody owns from then on. */
  readonly drops?: FieldSet | undefined;
}

const clientSideManagers = ["kubectl-client-side-apply", "kubectl-last-applied"];

const clientSideApply: FormerOwner = {
  owns: ({ manager = "", operation }) =>
    operation === "Update" && clientSideManagers.includes(manager),
};

/** Helm, and the marks by which it knows the objects of its releases. */
export const helmOwner: FormerOwner = {
  owns: ({ manager }) => manager === "helm",
  drops: decodeFieldsV1({
    "f:metadata": {
      "f:annotations": {
        "f:meta.helm.sh/release-name": {},
        "f:meta.helm.sh/release-namespace": {},
      },
      "f:labels": { "f:app.kubernetes.io/managed-by": {} },
    },
  }),
};

/**
 * The managed fields of an object when what a former owner left counts as applied by us, and so does what
 * was patched in our own name; undefined when there is nothing of either.
 */
export function takenOver(
  live: KubernetesObject,
  manager: string,
  former: FormerOwner = clientSideApply,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const isLeftover = (entry: ManagedFieldsEntry): boolean =>
    ((entry.operation === "Update" && entry.manager === manager) || former.owns(entry)) &&
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
  const fields = former.drops === undefined ? union : union.difference(former.drops);
  const merged = {
    ...first,
    manager,
    operation: "Apply" as const,
    fieldsV1: encodeFieldsV1(fields),
  };
  return [...entries.filter((entry) => !isLeftover(entry) && !isOurs(entry)), merged];
}
