import type { RunCounts } from "../../events/index.ts";
import type { CliContext } from "../context.ts";

/** The counts of a run in words; what did not happen is not mentioned. */
export function summaryLines(
  { apply, prune, delete: deleted, wait }: RunCounts,
  context: CliContext,
): readonly string[] {
  const { bold } = context.style.stdout;
  const parts = [
    count(apply.created, "created"),
    count(apply.configured, "configured"),
    count(apply.unchanged, "unchanged"),
    count(apply.skipped, "skipped"),
    count(apply.failed, "failed"),
    count(prune.successful, "pruned"),
    count(prune.skipped, "kept"),
    count(prune.failed + prune.timeout, "not pruned"),
    count(deleted.successful, "deleted"),
    count(deleted.skipped, "kept"),
    count(deleted.failed + deleted.timeout, "not deleted"),
    count(wait.failed, "not ready"),
    count(wait.timeout, "not ready in time"),
  ].filter((part) => part !== undefined);
  return [bold(parts.length === 0 ? "nothing to do" : parts.join(", "))];
}

function count(number: number, word: string): string | undefined {
  return number === 0 ? undefined : `${number} ${word}`;
}
