import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { parseDuration } from "../../duration.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";

export interface LogsFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {
  readonly follow: boolean;
  readonly since?: number;
}

export const logsCommand = buildCommand<LogsFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./logs-run.ts")).runLogs),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      follow: { kind: "boolean", default: false, brief: "Go on as more is logged" },
      since: {
        kind: "parsed",
        parse: parseDuration,
        optional: true,
        brief: "Only what is newer than this, such as 10m",
        placeholder: "duration",
      },
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output", f: "follow" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "The resource, by its name or the end of it",
          placeholder: "resource",
          parse: String,
        },
      ],
    },
  },
  docs: {
    brief: "Shows what resources log",
    fullDescription: describe(
      "Shows the log of a resource: of pods, or what its provider fetches. The end of a name will do.",
      [
        ["keelson logs api", "the pods of one workload"],
        ['keelson logs "#db" --follow --since 10m', "what a provider fetches, as it comes"],
      ],
    ),
  },
});
