import type { ObjectIdentifier } from "./identifier.ts";

/** What is wrong with the text of an identifier, and at which character, counted from 0. */
export interface IdentifierProblem {
  readonly kind: "problem";
  readonly message: string;
  readonly offset: number;
}

export type ParsedIdentifier =
  | { readonly kind: "identifier"; readonly identifier: ObjectIdentifier }
  | IdentifierProblem;

interface Part {
  readonly text: string;
  readonly offset: number;
}

const partNames = ["name", "kind", "namespace", "group"] as const;

/** Reads `name(:kind(:namespace(:group)?)?)?`, where `\` stands before a `:` or `\` that is meant. */
export function parseIdentifier(text: string): ParsedIdentifier {
  const parts = splitParts(text);
  if (!Array.isArray(parts)) return parts as IdentifierProblem;
  const [name, kind, namespace, group, fifth] = parts as readonly Part[];
  if (fifth !== undefined)
    return problem("it has more than four parts: name, kind, namespace, group", fifth.offset - 1);
  for (const [index, part] of [name, kind, namespace, group].entries()) {
    // An empty namespace before a group says that the object is in none.
    const isAllowed = part === namespace && group !== undefined;
    if (part?.text === "" && !isAllowed)
      return problem(`its ${partNames[index] ?? ""} is empty`, part.offset);
  }
  const identifier = {
    name: name?.text ?? "",
    ...(kind === undefined ? {} : { kind: kind.text }),
    ...(namespace === undefined ? {} : { namespace: namespace.text }),
    ...(group === undefined ? {} : { group: group.text }),
  };
  return { kind: "identifier", identifier };
}

function splitParts(text: string): readonly Part[] | IdentifierProblem {
  const parts: Part[] = [];
  let part = "";
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === ":") {
      parts.push({ text: part, offset: start });
      part = "";
      start = index + 1;
    } else if (character === "\\") {
      const next = text.charAt(index + 1);
      if (next === "") return problem("it ends in a single backslash", index);
      if (next !== ":" && next !== "\\")
        return problem("a backslash stands before something else than : or \\", index);
      part += next;
      index++;
    } else {
      part += character;
    }
  }
  return [...parts, { text: part, offset: start }];
}

function problem(message: string, offset: number): IdentifierProblem {
  return { kind: "problem", message, offset };
}
