import type { Diagnostic } from "../diagnostics/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import { ComponentDraft } from "./component-draft.ts";
import { ComponentLookup } from "./component-lookup.ts";
import type { ComponentDirective, Directive } from "./directive.ts";
import { IdentifierIndex } from "./identifier-index.ts";
import { ObjectClaims } from "./object-claims.ts";

export interface AppliedDirectives {
  readonly drafts: readonly ComponentDraft[];
  readonly claims: ObjectClaims;
  readonly diagnostics: readonly Diagnostic[];
}

/** Applies what the author says about components, in order, to the components of the workloads. */
export function applyDirectives({
  directives,
  objects,
  workloads,
  drafts,
}: {
  readonly directives: readonly Directive[];
  readonly objects: readonly AssemblyObject[];
  readonly workloads: IdentifierIndex;
  readonly drafts: readonly ComponentDraft[];
}): AppliedDirectives {
  const all = [...drafts, ...localDrafts(directives)];
  const isWorkload = new Set<AssemblyObject>();
  for (const { workload } of drafts) if (workload !== undefined) isWorkload.add(workload);
  // Most inputs name no object but workloads, so the index of all is made when it is needed.
  let index: IdentifierIndex | undefined;
  const allObjects = (): IdentifierIndex => (index ??= new IdentifierIndex(objects));
  const claims = new ObjectClaims(objects, allObjects, isWorkload);
  const said = directives.filter((directive) => directive.kind === "component");
  if (said.length === 0) return { drafts: all, claims, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const lookup = new ComponentLookup(workloads, allObjects, all);
  for (const directive of said) {
    const draft = draftOf(directive, lookup);
    if (!(draft instanceof ComponentDraft)) {
      diagnostics.push(draft);
      continue;
    }
    if (directive.workload === undefined) {
      all.push(draft);
      lookup.add(draft);
    }
    draft.said.push(directive);
    for (const text of directive.objects ?? []) {
      const problem = claims.claim(text, draft, directive.source);
      if (problem !== undefined) diagnostics.push(problem);
    }
  }
  return { drafts: all, claims, diagnostics };
}

function localDrafts(directives: readonly Directive[]): readonly ComponentDraft[] {
  return directives.flatMap((directive) => {
    if (directive.kind !== "local") return [];
    const by = directive.deploys === true ? "deploy" : "local";
    const origin = { by, source: directive.source } as const;
    const draft = new ComponentDraft("local", directive.name, origin);
    draft.said.push(directive);
    return [draft];
  });
}

/** The component that a directive is about, renamed if it says so, or a new one of objects alone. */
function draftOf(
  directive: ComponentDirective,
  lookup: ComponentLookup,
): ComponentDraft | Diagnostic {
  const { workload, newName, objects = [], source } = directive;
  if (newName?.trim() === "") return emptyName(directive);
  if (workload === undefined) {
    if (newName === undefined || objects.length === 0) return incomplete(directive);
    return new ComponentDraft("objects", newName, { by: "objects", source });
  }
  const found = lookup.resolve(workload, source);
  if (found instanceof ComponentDraft && newName !== undefined)
    lookup.rename(found, newName, { by: "rename", source });
  return found;
}

function emptyName({ workload, source }: ComponentDirective): Diagnostic {
  return {
    code: "assembly.invalid-name",
    severity: "error",
    summary: `the new name of ${workload === undefined ? "a component" : `"${workload}"`} is empty`,
    hint: "Give it a name, or leave the new name out.",
    source,
  };
}

function incomplete({ newName, source }: ComponentDirective): Diagnostic {
  const summary =
    newName === undefined
      ? "options are set for a component, but neither a workload nor a new name says for which"
      : `the component "${newName}" has neither a workload nor objects`;
  return {
    code: "assembly.incomplete-component",
    severity: "error",
    summary,
    hint: "Say which workload is meant, or give both a new name and objects to make a component of them.",
    source,
  };
}
