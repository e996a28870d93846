import { type Diagnostic, formatPosition } from "../diagnostics/index.ts";
import { type Edge, findCycle, Graph } from "../graph/index.ts";
import type { ComponentDraft } from "./component-draft.ts";
import { linesOf, Suggestions } from "./suggestions.ts";

/** What each component waits for, by the final names. */
export interface Dependencies {
  readonly of: (draft: ComponentDraft) => readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const mostCycles = 10;

/** Names that no component has are warned of and left out; cycles are errors. */
export function checkDependencies(drafts: readonly ComponentDraft[]): Dependencies {
  const byName = new Map(drafts.map((draft) => [draft.name, draft]));
  const names = [...byName.keys()];
  const nameSet = new Set(names);
  const suggestions = new Suggestions();
  const diagnostics: Diagnostic[] = [];
  const edges: Edge[] = [];
  for (const draft of drafts) {
    if (draft.said.length === 0) continue;
    for (const [name, source] of draft.dependsOn()) {
      if (byName.has(name)) {
        const said = source === undefined ? "" : ` (${formatPosition(source)})`;
        edges.push({
          from: draft.name,
          to: name,
          reason: `"${draft.name}" waits for "${name}"${said}`,
        });
        continue;
      }
      const [near] = suggestions.near(name, nameSet);
      diagnostics.push({
        code: "assembly.unknown-dependency",
        severity: "warning",
        summary: `"${draft.name}" is to wait for "${name}", but there is no such component`,
        detail: `The components are${linesOf(names, String)}`,
        hint: near === undefined ? "Correct the name, or take it out." : `Did you mean "${near}"?`,
        source,
      });
    }
  }
  diagnostics.push(...cyclesIn(byName, edges));
  return {
    of: (draft) =>
      draft.said.length === 0
        ? []
        : [...draft.dependsOn().keys()].filter((name) => byName.has(name)),
    diagnostics,
  };
}

function cyclesIn(
  byName: ReadonlyMap<string, ComponentDraft>,
  edges: readonly Edge[],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (edges.length === 0) return diagnostics;
  let graph = new Graph(byName.keys(), edges);
  for (let round = 0; round < mostCycles; round++) {
    const cycle = findCycle(graph);
    const closing = cycle?.at(-1);
    if (cycle === undefined || closing === undefined) break;
    const names = [...cycle.map(({ from }) => from), closing.to];
    diagnostics.push({
      code: "assembly.dependency-cycle",
      severity: "error",
      summary:
        cycle.length === 1
          ? `"${closing.from}" waits for itself`
          : `components wait for each other: ${names.join(" → ")}`,
      detail: cycle.map(({ reason }) => reason).join("\n"),
      hint: "Take one of these dependencies out.",
      source: byName.get(closing.from)?.dependsOn().get(closing.to),
    });
    graph = new Graph(
      graph.nodes,
      graph.edges.filter((edge) => edge !== closing),
    );
  }
  return diagnostics;
}
