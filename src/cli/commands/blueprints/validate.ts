import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { switchFlag, word } from "../../flag.ts";

export interface ValidateFlags extends OutputFlags {
  readonly strict: boolean;
}

export const validateCommand = buildCommand<ValidateFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./validate-run.ts")).runValidate),
  parameters: {
    flags: {
      strict: switchFlag("Fail on warnings, too"),
      ...outputFlag,
    },
    aliases: { o: "output" },
    positional: {
      kind: "array",
      parameter: word("Files and directories of the platform, or - for standard input", "input"),
      minimum: 1,
    },
  },
  docs: {
    brief: "Checks supply chains, deliveries and templates without a cluster",
    fullDescription: describe(
      "Says everything that an API server would refuse, and what it cannot see: steps that wait for each\nother, options that ask for the same, templates that are missing. Warns when two options of a step\ncan both match a workload, or none can, with a workload that shows it.",
      [
        ["keelson validate platform/", "all of a platform"],
        ["keelson validate platform/ --strict", "for a pipeline: warnings fail, too"],
        ["keelson validate platform/ --output json", "for programs: a line for each finding"],
      ],
      "validate",
    ),
  },
});
