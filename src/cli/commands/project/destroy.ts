import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { type LiveDestroyFlags, liveDestroyParameters } from "../live/destroy.ts";
import { runOutputFlag } from "../live/flags.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";

export interface DestroyFlags extends Omit<LiveDestroyFlags, "rgFile">, ProjectFlags {}

const { rgFile: _rgFile, ...destroyFlags } = liveDestroyParameters.flags;

export const destroyCommand = buildCommand<DestroyFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./destroy-run.ts")).runDestroy),
  parameters: {
    flags: { ...projectFlags, ...destroyFlags, ...runOutputFlag },
    aliases: { n: "namespace", o: "output", y: "yes" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Deletes everything that a project has in an environment",
    fullDescription: describe(
      "Deletes all that the inventory <project>-<env> owns, dependents first. On a terminal it lists them and asks.",
      [
        ["keelson destroy", "the project in this directory"],
        ["keelson destroy --env staging --dry-run", "what would go"],
      ],
      "destroy",
    ),
  },
});
