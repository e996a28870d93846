import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { rgFileFlag, packagePositional } from "./flags.ts";
import { switchFlag } from "../../flag.ts";

export interface LiveRecoverFlags extends ClusterFlags, OutputFlags {
  readonly rgFile?: string;
  readonly dryRun: boolean;
}

export const liveRecoverCommand = buildCommand<LiveRecoverFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./recover-run.ts")).runLiveRecover),
  parameters: {
    flags: {
      ...rgFileFlag,
      dryRun: switchFlag("Show what would happen; nothing is written"),
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: packagePositional,
  },
  docs: {
    brief: "Rebuilds a lost ResourceGroup from the objects that name it",
    fullDescription: describe(
      "Looks for every object whose annotation names this inventory, and writes the ResourceGroup anew.",
      [
        ["keelson live recover deploy/", "after the ResourceGroup was deleted by mistake"],
        ["keelson live recover deploy/ --dry-run", "what would be in it"],
      ],
      "live recover",
    ),
  },
});
