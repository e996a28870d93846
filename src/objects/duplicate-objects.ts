import { formatPosition } from "../diagnostics/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import { formatIdentity, identityKey, identityOf, type ObjectIdentity } from "./identity.ts";
import type { SourcedObject } from "./read/sourced-object.ts";

/** What is wrong with an object, and which one that is. */
export interface ObjectProblem {
  readonly identities: readonly ObjectIdentity[];
  readonly diagnostic: Diagnostic;
}

/**
 * Reports objects that occur twice: one would undo the other. To be called with namespaces set.
 * Objects whose name the server makes up are all different.
 */
export function duplicateObjects(objects: readonly SourcedObject[]): readonly ObjectProblem[] {
  const first = new Map<string, SourcedObject>();
  const problems: ObjectProblem[] = [];
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
    const diagnostic: Diagnostic = {
      code: "objects.duplicate-object",
      severity: "error",
      summary: `${subject} occurs twice in the input`,
      detail: `It was first given at ${formatPosition(before.sourceOf())}.`,
      hint: "Remove one of the two, or give it another name or namespace.",
      subject,
      source: sourced.sourceOf(),
    };
    problems.push({ identities: [identity], diagnostic });
  }
  return problems;
}

/** Reports objects whose name the server makes up: each apply would make one more of them. */
export function generatedNames(objects: readonly SourcedObject[]): readonly ObjectProblem[] {
  return objects.flatMap(({ object, sourceOf }) => {
    const { name = "", generateName = "" } = object.metadata;
    if (name !== "" || generateName === "") return [];
    const diagnostic: Diagnostic = {
      code: "objects.generated-name",
      severity: "error",
      summary: `${object.kind} ${generateName}… has no name, only generateName`,
      hint: "Give it a metadata.name: by its name it is found again and not made once more.",
      source: sourceOf(["metadata", "generateName"]),
    };
    return [{ identities: [identityOf(object)], diagnostic }];
  });
}
