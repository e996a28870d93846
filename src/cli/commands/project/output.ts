import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { switchFlag } from "../../flag.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";

export interface OutputCommandFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {
  readonly showSecrets: boolean;
}

export const outputCommand = buildCommand<OutputCommandFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("./output-run.ts")).runOutput),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      showSecrets: switchFlag("Print secret values, too"),
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "The output to print alone; all of them unless given",
          placeholder: "name",
          parse: String,
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: "Shows the values that a program exports, as they were applied",
    fullDescription: describe(
      "Shows what the main module of a program exports, as the last apply made it known. Secret values are\nmasked unless they are asked for.",
      [
        ["keelson output", "all outputs of the project in this directory"],
        ["curl $(keelson output url)", "one value, and nothing else"],
        ["keelson output --output json", "for programs: one object with all of them"],
      ],
      "output",
    ),
  },
});
