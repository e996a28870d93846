import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "../project/flags.ts";
import { word } from "../../flag.ts";

export interface TriggerFlags extends OutputFlags, ProjectFlags, SourceFlags {}

export const triggerCommand = buildCommand<TriggerFlags, string[], CliContext>({
  loader: lazily(async () => (await import("./trigger-run.ts")).runTrigger),
  parameters: {
    flags: { ...projectFlags, ...sourceFlag, ...outputFlag },
    aliases: { o: "output" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: word("The components to update", "component"),
    },
  },
  docs: {
    brief: "Updates components of a running `keelson up` now",
    fullDescription: describe(
      "Updates components that are updated only when asked for, or all over again: builds, applies, or\nruns the command. Needs a `keelson up` of the same project on this machine.",
      [
        ["keelson trigger web", "one component"],
        ["keelson trigger migrate seed --env staging", "two, of another environment"],
      ],
      "trigger",
    ),
  },
});
