import { formatPosition } from "../diagnostics/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import { formatIdentity, identityKey, identityOf } from "./identity.ts";
import type { SourcedObject } from "./read/sourced-object.ts";

/**
 * Reports objects that occur twice: one would undo the other. To be called with namespaces set.
 * Objects whose name the server makes up are all different.
 */
export function duplicateObjects(objects: readonly SourcedObject[]): readonly Diagnostic[] {
  const first = new Map<string, SourcedObject>();
  const diagnostics: Diagnostic[] = [];
  for (const sourced of objects) {
    const identity = identityOf(sourced.object);
    if (identity.name === "") continue;
    const key = identityKey(identity);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, sourced);
      continue;
    }
    const subject = formatIdentity(identity);
    diagnostics.push({
      code: "objects.duplicate-object",
      severity: "error",
      summary: `${subject} occurs twice in the input`,
      detail: `It was first given at ${formatPosition(before.sourceOf())}.`,
      hint: "Remove one of the two, or give it another name or namespace.",
      subject,
      source: sourced.sourceOf(),
    });
  }
  return diagnostics;
}
