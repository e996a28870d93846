import { type Diagnostic, formatPosition, type SourceRange } from "../diagnostics/index.ts";
import { type AssemblyObject, describeObject, fullIdentifier } from "./assembly-object.ts";
import type { ComponentDraft } from "./component-draft.ts";
import { formatIdentifier } from "./identifier.ts";
import type { IdentifierIndex } from "./identifier-index.ts";
import { identifierProblem } from "./identifier-problem.ts";
import { parseIdentifier } from "./parse-identifier.ts";
import { linesOf, Suggestions } from "./suggestions.ts";

interface Claim {
  readonly draft: ComponentDraft;
  readonly source: SourceRange | undefined;
}

interface KnownObjects {
  /** The shortest identifiers of the objects that are no workloads. */
  readonly names: readonly string[];
  /** What may have been meant: these, and the names alone. */
  readonly candidates: ReadonlySet<string>;
}

/** The objects that directives put into components by name. */
export class ObjectClaims {
  readonly #objects: readonly AssemblyObject[];
  readonly #allObjects: () => IdentifierIndex;
  readonly #workloads: ReadonlySet<AssemblyObject>;
  readonly #claims = new Map<AssemblyObject, Claim>();
  readonly #suggestions = new Suggestions();
  #known: KnownObjects | undefined;

  constructor(
    objects: readonly AssemblyObject[],
    allObjects: () => IdentifierIndex,
    workloads: ReadonlySet<AssemblyObject>,
  ) {
    this.#objects = objects;
    this.#allObjects = allObjects;
    this.#workloads = workloads;
  }

  /** Puts the object that an identifier means into a component, or says why it cannot. */
  claim(
    text: string,
    draft: ComponentDraft,
    source: SourceRange | undefined,
  ): Diagnostic | undefined {
    const parsed = parseIdentifier(text);
    if (parsed.kind === "problem") return identifierProblem(text, parsed, source);
    const index = this.#allObjects();
    const matches = index.find(parsed.identifier);
    const [object, second] = matches;
    if (object === undefined) return this.#unknown(text, source);
    if (second !== undefined) return this.#ambiguous(text, matches, index, source);
    if (this.#workloads.has(object)) return workloadClaimed(text, object, draft, source);
    const before = this.#claims.get(object);
    if (before !== undefined) return twice(object, before, draft, source);
    this.#claims.set(object, { draft, source });
    return undefined;
  }

  draftOf(object: AssemblyObject): ComponentDraft | undefined {
    return this.#claims.get(object)?.draft;
  }

  #ambiguous(
    text: string,
    matches: readonly AssemblyObject[],
    index: IdentifierIndex,
    source: SourceRange | undefined,
  ): Diagnostic {
    const shorter = matches.slice(0, 3).map((match) => `"${index.shortest(match)}"`);
    return {
      code: "assembly.ambiguous-object",
      severity: "error",
      summary: `"${text}" does not say which object is meant: ${matches.length} match`,
      detail: `It matches${linesOf(matches, describeObject)}`,
      hint: `Say more, for example ${shorter.join(" or ")}.`,
      source,
    };
  }

  #unknown(text: string, source: SourceRange | undefined): Diagnostic {
    this.#known ??= this.#knownNames();
    const { names, candidates } = this.#known;
    const [near] = this.#suggestions.near(text, candidates);
    return {
      code: "assembly.unknown-object",
      severity: "error",
      summary: `there is no object "${text}"`,
      detail:
        names.length === 0
          ? "Every object is a workload."
          : `The objects that are no workloads are${linesOf(names, String)}`,
      hint:
        near === undefined
          ? "Give the object too, or correct its identifier."
          : `Did you mean "${near}"?`,
      source,
    };
  }

  #knownNames(): KnownObjects {
    const others = this.#objects.filter((object) => !this.#workloads.has(object));
    const names = others.map((object) => this.#allObjects().shortest(object));
    const bare = others.map(({ name }) => formatIdentifier({ name }));
    return { names, candidates: new Set([...names, ...bare]) };
  }
}

function workloadClaimed(
  text: string,
  object: AssemblyObject,
  draft: ComponentDraft,
  source: SourceRange | undefined,
): Diagnostic {
  return {
    code: "assembly.workload-in-objects",
    severity: "error",
    summary: `"${text}" is a workload and cannot be an object of the component "${draft.name}"`,
    detail: `${describeObject(object)} is a component of its own, and a component has one workload.`,
    hint: `Take it out of the objects; set its options with "${fullIdentifier(object)}" as the workload.`,
    source,
  };
}

function twice(
  object: AssemblyObject,
  before: Claim,
  draft: ComponentDraft,
  source: SourceRange | undefined,
): Diagnostic {
  const where = before.source === undefined ? "" : ` at ${formatPosition(before.source)}`;
  return {
    code: "assembly.object-claimed-twice",
    severity: "error",
    summary:
      before.draft === draft
        ? `${fullIdentifier(object)} is put into the component "${draft.name}" twice`
        : `${fullIdentifier(object)} is put into two components, "${before.draft.name}" and "${draft.name}"`,
    detail: `It was first put into "${before.draft.name}"${where}.`,
    hint: "Name it in the objects of one component, once.",
    source,
  };
}
