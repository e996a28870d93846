import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { ComponentDraft, NameOrigin } from "./component-draft.ts";
import {
  ambiguousWorkload,
  localNamed,
  noWorkload,
  twoMeanings,
  unknownWorkload,
} from "./component-problems.ts";
import { formatIdentifier } from "./identifier.ts";
import type { IdentifierIndex } from "./identifier-index.ts";
import { identifierProblem } from "./identifier-problem.ts";
import { parseIdentifier } from "./parse-identifier.ts";
import { Suggestions } from "./suggestions.ts";

interface KnownNames {
  readonly names: readonly string[];
  /** What may have been meant: the names, and those of the workloads without kind and namespace. */
  readonly candidates: ReadonlySet<string>;
}

/** Of many components that share a name, which is an error, this many are told. */
const mostNamed = 10;

/** Finds components by the identifier of their workload or by the name that they have now. */
export class ComponentLookup {
  readonly #workloads: IdentifierIndex;
  readonly #allObjects: () => IdentifierIndex;
  readonly #byName = new Map<string, Set<ComponentDraft>>();
  readonly #byWorkload = new Map<AssemblyObject, ComponentDraft>();
  readonly #suggestions = new Suggestions();
  #listsLeft = 100;
  #told: KnownNames = { names: [], candidates: new Set() };

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
    const sharing = this.#byName.get(text) ?? new Set<ComponentDraft>();
    const named = firstOf(sharing, mostNamed);
    const matches = parsed.kind === "identifier" ? this.#workloads.find(parsed.identifier) : [];
    const [match] = matches;
    const matched = match === undefined ? undefined : this.#byWorkload.get(match);
    if (matches.length === 1 && matched !== undefined) {
      // A component that still has its name is meant by it, even while another is renamed to it.
      if (sharing.size === 0 || sharing.has(matched)) return matched;
      return twoMeanings(text, matched, named, source);
    }
    const [only, second] = named;
    if (only !== undefined && second === undefined) {
      const isLocal = only.origin.by === "local";
      if (isLocal && matches.length === 0) return localNamed(text, only, source);
      const isMatched = only.workload !== undefined && matches.includes(only.workload);
      if (matches.length === 0 || isMatched) return only;
    }
    if (matches.length > 1) return ambiguousWorkload(text, matches, this.#workloads, source);
    if (only !== undefined) return twoMeanings(text, only, named.slice(1), source);
    if (parsed.kind === "problem") return identifierProblem(text, parsed, source);
    const [other] = this.#allObjects().find(parsed.identifier);
    if (other !== undefined) return noWorkload(text, other, source);
    const { names, candidates } = this.#namesToTell();
    const [near] = this.#suggestions.near(text, candidates);
    return unknownWorkload(text, names, near, source);
  }

  /** The names there are now; the lists of many errors together are bounded. */
  #namesToTell(): KnownNames {
    if (this.#listsLeft === 0) return this.#told;
    this.#listsLeft--;
    const names = [...this.#byName]
      .filter(([, drafts]) =>
        [...drafts].some(({ kind }) => kind === "workload" || kind === "objects"),
      )
      .map(([name]) => name);
    const bare = [...this.#byWorkload.keys()].map(({ name }) => formatIdentifier({ name }));
    this.#told = { names, candidates: new Set([...names, ...bare]) };
    return this.#told;
  }
}

function firstOf<Item>(items: Iterable<Item>, most: number): readonly Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.length === most) break;
    first.push(item);
  }
  return first;
}
