import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { type LiveStatusFlags, liveStatusParameters } from "../live/status.ts";
import { runOutputFlag } from "../live/flags.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";

export interface StatusFlags extends Omit<LiveStatusFlags, "rgFile">, ProjectFlags {}

const { rgFile: _rgFile, ...statusFlags } = liveStatusParameters.flags;

export const statusCommand = buildCommand<StatusFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./status-run.ts")).runStatus),
  parameters: {
    flags: { ...projectFlags, ...statusFlags, ...runOutputFlag },
    aliases: { n: "namespace", o: "output" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Shows how everything of a project is in an environment",
    fullDescription: describe(
      "Shows the status of every object that the inventory <project>-<env> owns, and waits if asked.",
      [
        ["keelson status", "the project in this directory"],
        ["keelson status --env staging --poll-until current", "wait until all is ready"],
        ["keelson status --history", "which runs changed what"],
      ],
      "status",
    ),
  },
});
