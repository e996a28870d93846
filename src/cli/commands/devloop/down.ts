import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { liveDestroyParameters } from "../live/destroy.ts";
import type { DestroyFlags } from "../project/destroy.ts";
import { projectFlags, sourcePositional } from "../project/flags.ts";

export type DownFlags = Omit<DestroyFlags, "yes">;

const { rgFile: _rgFile, ...destroyFlags } = liveDestroyParameters.flags;

export const downCommand = buildCommand<DownFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./down-run.ts")).runDown),
  parameters: {
    flags: { ...projectFlags, ...destroyFlags },
    aliases: { n: "namespace", o: "output" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Deletes what `keelson up` applied",
    fullDescription: describe(
      "Deletes all that the inventory <project>-<env> owns, dependents first, and runs the delete\ncommands of custom deploys. It asks nothing: what `up` brought, it brings again.",
      [
        ["keelson down", "the project in this directory"],
        ["keelson down Tiltfile --dry-run", "what would go"],
      ],
      "down",
    ),
  },
});
