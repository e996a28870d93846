import { type Diagnostic, formatPosition, type SourceRange } from "../diagnostics/index.ts";
import { type AssemblyObject, describeObject, fullIdentifier } from "./assembly-object.ts";
import type { ComponentDraft, NameOrigin } from "./component-draft.ts";
import { formatIdentifier } from "./identifier.ts";
import type { IdentifierIndex } from "./identifier-index.ts";
import { identifierProblem } from "./identifier-problem.ts";
import { parseIdentifier } from "./parse-identifier.ts";
import { linesOf, Suggestions } from "./suggestions.ts";

/** Finds components by the identifier of their workload or by the name that they have now. */
export class ComponentLookup {
  readonly #workloads: IdentifierIndex;
  readonly #allObjects: () => IdentifierIndex;
  readonly #byName = new Map<string, Set<ComponentDraft>>();
  readonly #byWorkload = new Map<AssemblyObject, ComponentDraft>();
  readonly #suggestions = new Suggestions();
  #listsLeft = 100;
  #told: readonly string[] = [];

  constructor(
    workloads: IdentifierIndex,
    allObjects: () => IdentifierIndex,
    drafts: Iterable<ComponentDraft>,
  ) {
    this.#workloads = workloads;
    this.#allObjects = allObjects;
    for (const draft of drafts) this.add(draft);
  }

  add(draft: ComponentDraft): void {
    if (draft.workload !== undefined) this.#byWorkload.set(draft.workload, draft);
    const named = this.#byName.get(draft.name);
    if (named === undefined) this.#byName.set(draft.name, new Set([draft]));
    else named.add(draft);
  }

  rename(draft: ComponentDraft, name: string, origin: NameOrigin): void {
    this.#byName.get(draft.name)?.delete(draft);
    draft.name = name;
    draft.origin = origin;
    this.add(draft);
  }

  /** The component that a text means. An identifier is tried first, then the name. */
  resolve(text: string, source: SourceRange | undefined): ComponentDraft | Diagnostic {
    const parsed = parseIdentifier(text);
    const named = [...(this.#byName.get(text) ?? [])];
    const matches = parsed.kind === "identifier" ? this.#workloads.find(parsed.identifier) : [];
    const [match] = matches;
    const matched = match === undefined ? undefined : this.#byWorkload.get(match);
    if (matches.length === 1 && matched !== undefined) {
      // A component that still has its name is meant by it, even while another is renamed to it.
      if (named.length === 0 || named.includes(matched)) return matched;
      return this.#twoMeanings(text, matched, named, source);
    }
    const [only, second] = named;
    if (only !== undefined && second === undefined) {
      if (only.origin.by === "local") return localNamed(text, only, source);
      const isMatched = only.workload !== undefined && matches.includes(only.workload);
      if (matches.length === 0 || isMatched) return only;
    }
    if (matches.length > 1) return this.#ambiguous(text, matches, source);
    if (only !== undefined) return this.#twoMeanings(text, only, named.slice(1), source);
    if (parsed.kind === "problem") return identifierProblem(text, parsed, source);
    const [other] = this.#allObjects().find(parsed.identifier);
    return other === undefined ? this.#unknown(text, source) : noWorkload(text, other, source);
  }

  #ambiguous(
    text: string,
    matches: readonly AssemblyObject[],
    source: SourceRange | undefined,
  ): Diagnostic {
    const shorter = matches.slice(0, 3).map((match) => `"${this.#workloads.shortest(match)}"`);
    return {
      code: "assembly.ambiguous-workload",
      severity: "error",
      summary: `"${text}" does not say which workload is meant: ${matches.length} match`,
      detail: `It matches${linesOf(matches, describeObject)}`,
      hint: `Say more, for example ${shorter.join(" or ")}.`,
      source,
    };
  }

  #twoMeanings(
    text: string,
    first: ComponentDraft,
    others: readonly ComponentDraft[],
    source: SourceRange | undefined,
  ): Diagnostic {
    const meant = [first, ...others].map((draft) => {
      const { workload } = draft;
      if (workload === undefined) return `the component "${draft.name}"`;
      return `the component "${draft.name}" of ${describeObject(workload)}`;
    });
    const { workload } = first;
    return {
      code: "assembly.ambiguous-name",
      severity: "error",
      summary: `"${text}" means more than one component, as an identifier or by its name`,
      detail: `It means${linesOf(meant, String)}`,
      hint: `Write a longer identifier${workload === undefined ? "" : `, for example "${fullIdentifier(workload)}"`}.`,
      source,
    };
  }

  #unknown(text: string, source: SourceRange | undefined): Diagnostic {
    const names = this.#namesToTell();
    const bare = [...this.#byWorkload.keys()].map(({ name }) => formatIdentifier({ name }));
    const [near] = this.#suggestions.near(text, new Set([...names, ...bare]));
    return {
      code: "assembly.unknown-workload",
      severity: "error",
      summary: `there is no workload "${text}"`,
      detail:
        names.length === 0
          ? "There are no workloads."
          : `The components are${linesOf(names, String)}`,
      hint:
        near === undefined
          ? "Give the object of the workload too, or declare its kind as a workload kind."
          : `Did you mean "${near}"?`,
      source,
    };
  }

  /** The names there are now; the lists of many errors together are bounded. */
  #namesToTell(): readonly string[] {
    if (this.#listsLeft === 0) return this.#told;
    this.#listsLeft--;
    this.#told = [...this.#byName]
      .filter(([, drafts]) =>
        [...drafts].some(({ kind }) => kind === "workload" || kind === "objects"),
      )
      .map(([name]) => name);
    return this.#told;
  }
}

function noWorkload(
  text: string,
  object: AssemblyObject,
  source: SourceRange | undefined,
): Diagnostic {
  return {
    code: "assembly.unknown-workload",
    severity: "error",
    summary: `"${text}" is no workload, but a ${object.kind}`,
    detail: `It matches ${describeObject(object)}.`,
    hint: `Name it in the objects of a component, or declare ${object.kind} as a workload kind.`,
    source,
  };
}

function localNamed(
  text: string,
  { origin }: ComponentDraft,
  source: SourceRange | undefined,
): Diagnostic {
  const where = origin.source === undefined ? "" : `, at ${formatPosition(origin.source)}`;
  return {
    code: "assembly.unknown-workload",
    severity: "error",
    summary: `"${text}" is a local component, not a workload`,
    hint: `Set its options where it is declared${where}.`,
    source,
  };
}
