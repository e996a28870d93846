import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { type LiveApplyFlags, liveApplyParameters } from "../live/apply.ts";
import { warmProgram } from "../../warm-program.ts";
import { runOutputFlag } from "../live/flags.ts";
import { projectFlags, type ProjectFlags } from "./flags.ts";
import { onlyWord, switchFlag, yesFlag } from "../../flag.ts";

export interface ApplyFlags extends Omit<LiveApplyFlags, "plan" | "rgFile">, ProjectFlags {
  readonly yes: boolean;
  readonly allowProvisionedConditions: boolean;
  readonly acceptReplacements: boolean;
}

const { rgFile: _rgFile, plan: _plan, ...applyFlags } = liveApplyParameters.flags;

export const applyCommand = buildCommand<ApplyFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./apply-run.ts")).runApply, warmProgram),
  parameters: {
    flags: {
      ...projectFlags,
      ...yesFlag,
      allowProvisionedConditions: switchFlag(
        "Let a program decide on what only an apply makes known, in stages",
      ),
      acceptReplacements: switchFlag(
        "Delete and create anew what looks renamed; without a terminal that is refused otherwise",
      ),
      ...applyFlags,
      ...runOutputFlag,
    },
    aliases: { n: "namespace", o: "output", y: "yes" },
    positional: onlyWord(
      "A directory, a Tiltfile, a file, - for standard input, or a saved plan",
      "source",
      ".",
    ),
  },
  docs: {
    brief: "Applies a project, waits until it is ready, prunes what left it",
    fullDescription: describe(
      "Applies all that a source wishes for as the inventory <project>-<env>: in the order of its\ndependencies, only what changed. What an earlier apply brought and this one does not is deleted.\nOn a terminal it shows the plan and asks.",
      [
        ["keelson apply", "the project in this directory"],
        ["keelson apply Tiltfile --env staging", "a Tiltfile, in another environment"],
        ["keelson apply plan.json", "exactly what `keelson plan --out plan.json` showed"],
        ["helm template chart | keelson apply -", "what another tool prints"],
      ],
      "apply",
    ),
  },
});
