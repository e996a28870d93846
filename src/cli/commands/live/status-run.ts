import { type ObjectStatus, watchStatuses } from "../../../apply/index.ts";
import { emptyCounts } from "../../../events/index.ts";
import {
  type GroupReference,
  knownInventory,
  presentEntries,
  readHistory,
} from "../../../inventory/index.ts";
import { formatIdentity } from "../../../objects/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { formatDuration } from "../../duration.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { tableLines } from "../../views/table-lines.ts";
import { type LiveRun, withLiveRun } from "./live-run.ts";
import { ownerHistories } from "./owner-histories.ts";
import { reportFormat } from "../../output-flag.ts";
import { report } from "../../report.ts";
import { unlistedObjects } from "./unlisted-objects.ts";
import { showHistory } from "./show-history.ts";
import { loadGroup } from "../../../engine/index.ts";
import type { LiveStatusFlags } from "./status.ts";
import { hostOf } from "../../host-of.ts";

export const runLiveStatus: CommandHandler<LiveStatusFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(hostOf(context), input, flags.rgFile);
  return withLiveRun(
    context,
    flags,
    { verbose: true, inventoryName: group.name },
    (live, context) => showStatus(context, flags, live, group),
  );
};

/** Shows how everything is that an inventory owns, and waits for it if asked. */
export async function showStatus(
  context: CliContext,
  flags: Omit<LiveStatusFlags, "rgFile">,
  { cluster, view, signal }: LiveRun,
  group: GroupReference,
): Promise<ExitCode> {
  const { stdout } = context.process;
  const inventory = await knownInventory(cluster, group);
  if (flags.history) {
    const owners = await ownerHistories(cluster, inventory);
    return showHistory(context, flags, [...readHistory(inventory?.history), ...owners], group);
  }
  const entries = inventory === undefined ? [] : presentEntries(inventory);
  const looking = unlistedObjects(cluster, group, inventory);
  if (entries.length === 0) {
    report(context, await looking, reportFormat(flags.output));
    if (reportFormat(flags.output) !== "text")
      view.emit({ type: "summary", counts: emptyCounts() });
    else
      stdout.write(`the inventory ${group.namespace}/${group.name} owns nothing in this cluster\n`);
    return exitCode.success;
  }
  const { statuses, isOver } = await watchStatuses({
    cluster,
    entries,
    isOver: (all) => isDone(flags.pollUntil, all),
    deadline: Date.now() + flags.timeout,
    // A table is printed once, of how everything is in the end.
    emit: flags.output === "table" ? () => {} : view.emit,
    signal,
  });
  report(context, await looking, reportFormat(flags.output));
  if (flags.output === "table") for (const line of table(statuses)) stdout.write(`${line}\n`);
  if (!isOver && !signal.aborted) {
    const done = statuses.filter((status) => isDone(flags.pollUntil, [status])).length;
    const left = entries.length - done;
    const wanted = flags.pollUntil === "deleted" ? "gone" : "ready";
    const summary =
      flags.pollUntil === "forever"
        ? `stopped watching after ${formatDuration(flags.timeout)}`
        : `timed out after ${formatDuration(flags.timeout)}: ${left} of ${entries.length} objects not ${wanted}`;
    if (reportFormat(flags.output) !== "text")
      view.emit({ type: "error", code: "live.not-in-time", severity: "error", summary });
    else context.process.stderr.write(`${summary}\n`);
  }
  const hasFailed = statuses.some(({ readiness }) => readiness.status === "Failed");
  return !isOver || hasFailed ? exitCode.failed : exitCode.success;
}

function isDone(until: LiveStatusFlags["pollUntil"], statuses: readonly ObjectStatus[]): boolean {
  switch (until) {
    case "known":
      return true;
    case "current":
      return statuses.every(({ readiness }) => readiness.status === "Current");
    case "deleted":
      return statuses.every(({ readiness }) => readiness.status === "NotFound");
    case "forever":
      return false;
  }
}

function table(statuses: readonly ObjectStatus[]): readonly string[] {
  return tableLines([
    ["OBJECT", "STATUS", "MESSAGE"],
    ...statuses.map(({ identity, readiness }) => [
      formatIdentity(identity),
      readiness.status,
      readiness.message,
    ]),
  ]);
}
