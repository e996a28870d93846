import type { FieldOwner, FieldOwners } from "./field-owners.ts";
import type { FieldSet } from "./field-set.ts";
import { formatPath } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** A field that an apply would change although somebody else owns it. */
export interface Conflict {
  readonly owner: Pick<FieldOwner, "manager" | "operation" | "apiVersion" | "subresource">;
  readonly path: readonly PathElement[];
  /** `.spec.replicas` */
  readonly field: string;
  /** `conflict with "kubectl" using apps/v1`, as the cause of a Status says it. */
  readonly message: string;
}

/** The conflicts of each owner, by owner and then by path. */
export function conflictsOf(
  owners: FieldOwners,
  sets: ReadonlyMap<string, FieldSet>,
): readonly Conflict[] {
  return [...sets.keys()].sort().flatMap((key) => {
    const owner = owners.get(key);
    const set = sets.get(key);
    if (owner === undefined || set === undefined) return [];
    return [...set.paths()].map((path) => ({
      owner,
      path,
      field: formatPath(path),
      message: `conflict with ${describeOwner(owner)}`,
    }));
  });
}

/** The message of the Status that refuses the apply. */
export function formatConflicts(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  }
  const lines: string[] = [];
  let heading = "";
  for (const { owner, field } of conflicts) {
    const next = `conflicts with ${describeOwner(owner)}:`;
    if (next !== heading) lines.push(next);
    heading = next;
    lines.push(`- ${field}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeOwner(owner: Conflict["owner"]): string {
  const { manager, operation, apiVersion, subresource } = owner;
  const via = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${JSON.stringify(manager)}${via}${using}`;
}
