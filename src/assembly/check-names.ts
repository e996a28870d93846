import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import { describeObject } from "./assembly-object.ts";
import type { ComponentDraft } from "./component-draft.ts";
import { linesOf } from "./suggestions.ts";

/** Two components with one name are an error. Asked at the end, so that names can be swapped. */
export function checkNames(drafts: readonly ComponentDraft[]): readonly Diagnostic[] {
  const first = new Map<string, ComponentDraft>();
  const shared = new Map<string, ComponentDraft[]>();
  for (const draft of drafts) {
    const before = first.get(draft.name);
    if (before === undefined) {
      first.set(draft.name, draft);
      continue;
    }
    const named = shared.get(draft.name);
    if (named === undefined) shared.set(draft.name, [before, draft]);
    else named.push(draft);
  }
  return [...shared].map(([name, named]) => taken(name, named));
}

function taken(name: string, named: readonly ComponentDraft[]): Diagnostic {
  const allByFunction = named.every(({ origin }) => origin.by === "function");
  const culprit =
    named.findLast(({ origin }) => origin.by === "rename" || origin.by === "objects") ??
    named.findLast(({ origin }) => origin.source !== undefined);
  return {
    code: "assembly.name-taken",
    severity: "error",
    summary: allByFunction
      ? `the naming function gives ${named.length} workloads the name "${name}"`
      : `${named.length} components have the name "${name}"`,
    detail: `They are${linesOf(named, describeDraft)}`,
    hint: allByFunction
      ? "Return a name of its own for each workload, for example with its kind or namespace in it."
      : "Give one of them another name.",
    source: culprit?.origin.source ?? named.at(-1)?.workload?.given.sourceOf(),
  };
}

function describeDraft({ kind, workload, origin }: ComponentDraft): string {
  const where = origin.source === undefined ? "" : ` at ${formatPosition(origin.source)}`;
  const what =
    workload !== undefined
      ? describeObject(workload)
      : kind === "local"
        ? "a local component"
        : kind === "objects"
          ? "a component of objects"
          : "the objects that go with no workload";
  switch (origin.by) {
    case "identifier":
      return `${what}, by its identifier`;
    case "function":
      return `${what}, by the naming function${where}`;
    case "rename":
      return `${what}, renamed${where}`;
    case "local":
    case "deploy":
    case "objects":
      return `${what}${where}`;
    case "keelson":
      return what;
  }
}
