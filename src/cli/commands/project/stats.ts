import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";
import { word } from "../../flag.ts";

export interface StatsFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {}

export const statsCommand = buildCommand<StatsFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./stats-run.ts")).runStats),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [word("The resource, by its name or the end of it", "resource")],
    },
  },
  docs: {
    brief: "Shows the performance counters of resources",
    fullDescription: describe(
      "Shows the newest numbers that the provider of a resource has about it.",
      [
        ['keelson stats "#db"', "one resource"],
        ['keelson stats "#db" --output json', "with all points in time"],
      ],
      "stats",
    ),
  },
});
