import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";
import { switchFlag } from "../../flag.ts";

export interface RefreshFlags extends ClusterFlags, OutputFlags, ProjectFlags {
  readonly dryRun: boolean;
}

export const refreshCommand = buildCommand<RefreshFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./refresh-run.ts")).runRefresh),
  parameters: {
    flags: {
      ...projectFlags,
      dryRun: switchFlag("Show what would be recorded; nothing is written"),
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Reads resources outside of Kubernetes again, and records drift",
    fullDescription: describe(
      "Asks the providers of all resources how they are. What changed outside is recorded, and what is\ngone is forgotten, so that the next plan shows it. What cannot be reached is left as it is recorded.",
      [
        ["keelson refresh", "the project in this directory"],
        ["keelson refresh --dry-run", "what has changed outside"],
      ],
      "refresh",
    ),
  },
});
