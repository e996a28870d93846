import {
  type GroupReference,
  type HistoryEntry,
  type HistoryObject,
} from "../../../inventory/index.ts";
import { formatIdentity, identityOfKey } from "../../../objects/index.ts";
import type { CliContext } from "../../context.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { reportFormat } from "../../output-flag.ts";
import { tableLines } from "../../views/table-lines.ts";
import type { RunOutput } from "./flags.ts";

/** Shows which runs have changed what of an inventory, and controllers for it, the newest first. */
export function showHistory(
  context: CliContext,
  { output }: { readonly output: RunOutput },
  history: readonly HistoryEntry[],
  { namespace, name }: GroupReference,
): ExitCode {
  const { stdout } = context.process;
  const entries = history.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (reportFormat(output) !== "text") {
    for (const entry of entries) {
      const event = { timestamp: entry.at, type: "history", ...entry };
      stdout.write(`${JSON.stringify(event)}\n`);
    }
    return exitCode.success;
  }
  if (entries.length === 0)
    stdout.write(`of the inventory ${namespace}/${name} no change is remembered\n`);
  for (const entry of entries) {
    stdout.write(`${context.style.stdout.bold(headline(entry))}\n`);
    for (const line of tableLines(entry.objects.map(row))) stdout.write(`  ${line}\n`);
    if (entry.cut !== undefined) stdout.write(`  and ${entry.cut} more\n`);
  }
  return exitCode.success;
}

function headline({ at, by, command, counts }: HistoryEntry): string {
  const done = Object.entries(counts).map(([action, count]) => `${count} ${action}`);
  return `${at}  ${command} by ${by}: ${done.join(", ")}`;
}

function row({ key, action, fields = [], cut, was }: HistoryObject): readonly string[] {
  const more = cut === undefined ? [] : [`${cut} more fields`];
  const before = was === undefined ? [] : [`was ${was}`];
  return [action, formatIdentity(identityOfKey(key)), [...before, ...fields, ...more].join(", ")];
}
