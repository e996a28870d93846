import { type Diagnostic, fail } from "../diagnostics/index.ts";
import type { Plan } from "../plan/index.ts";

/**
 * Ends a run that would delete what looks renamed and create it anew, before it writes anything: what was
 * deleted is lost, and nobody was asked.
 */
export function refuseRenamed(warnings: readonly Diagnostic[], { nodes }: Plan): void {
  const renamed = warnings.filter(({ code }) => code === "program.looks-renamed");
  const deletes = [...nodes.values()].some(
    ({ kind, action }) => kind === "prune" && action === "delete",
  );
  const [first] = renamed;
  if (first === undefined || !deletes) return;
  fail({
    code: "program.looks-renamed",
    summary: `${renamed.length === 1 ? "1 resource looks" : `${renamed.length} resources look`} renamed, and would be deleted and created anew; nothing was written`,
    detail: renamed.map(({ summary }) => summary).join("\n"),
    hint: `Run the \`keelson rename\` that each warning shows, or apply with --accept-replacements.`,
    source: renamed.length === 1 ? first.source : undefined,
  });
}
