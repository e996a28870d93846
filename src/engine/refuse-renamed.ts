import { type Diagnostic, fail } from "../diagnostics/index.ts";
import { identityKey } from "../objects/index.ts";
import type { Plan } from "../plan/index.ts";

/**
 * Ends a run that would delete what looks renamed and create it anew, before it writes anything: what was
 * deleted is lost, and nobody was asked.
 */
export function refuseRenamed(warnings: readonly Diagnostic[], { nodes }: Plan): void {
  const renamed = warnings.flatMap((warning) => {
    if (warning.code !== "program.looks-renamed") return [];
    const deleted = (warning.objects ?? []).filter((object) => {
      const node = nodes.get(identityKey(object));
      return node?.kind === "prune" && node.action === "delete";
    });
    return deleted.length === 0 ? [] : [{ warning, count: deleted.length }];
  });
  const [first] = renamed;
  if (first === undefined) return;
  const count = renamed.reduce((sum, each) => sum + each.count, 0);
  fail({
    code: "program.looks-renamed",
    summary: `${count === 1 ? "1 resource looks" : `${count} resources look`} renamed, and would be deleted and created anew; nothing was written`,
    detail: renamed.map(({ warning }) => warning.summary).join("\n"),
    hint: `Run the \`keelson rename\` that each warning shows, or apply with --accept-replacements.`,
    source: renamed.length === 1 ? first.warning.source : undefined,
  });
}
