import { buildCommand } from "@stricli/core";
import type { MessageLevel } from "../../../events/index.ts";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { parseDuration } from "../../duration.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";
import { parsedFlag, switchFlag } from "../../flag.ts";

export interface LogsFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {
  readonly follow: boolean;
  readonly since?: number;
  readonly tail?: number;
  readonly level?: MessageLevel;
  readonly json: boolean;
}

function parseCount(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new SyntaxError(`${JSON.stringify(text)} is no number of lines`);
}

export const logsCommand = buildCommand<LogsFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("./logs-run.ts")).runLogs),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      follow: switchFlag("Go on as more is logged"),
      since: parsedFlag(parseDuration, "Only what is newer than this, such as 10m", "duration"),
      tail: parsedFlag(
        parseCount,
        "Only so many of the last lines, of each pod or of all together",
        "lines",
      ),
      level: {
        kind: "enum",
        values: ["debug", "info", "warn", "error"],
        optional: true,
        brief: "Only lines that are at least so important, as far as they say so",
      },
      json: switchFlag("The same as --output json"),
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output", f: "follow" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "The component or resource, by its name or the end of it; all unless given",
          placeholder: "component",
          parse: String,
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: "Shows what components and resources log",
    fullDescription: describe(
      "Shows logs: of pods, of local commands and servers of a running `keelson up`, or what the provider\nof a resource fetches. The end of a name will do.",
      [
        ["keelson logs", "everything of the project"],
        ["keelson logs api -f --level warn", "one component, as it comes, what is important"],
        ['keelson logs "#db" --follow --since 10m', "what a provider fetches, as it comes"],
        ["keelson logs api --tail 20 --json", "the last lines, as JSON"],
      ],
      "logs",
    ),
  },
});
