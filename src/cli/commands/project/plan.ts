import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { type LivePlanFlags, livePlanParameters } from "../live/plan.ts";
import { warmProgram } from "../../warm-program.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";
import { textFlag } from "../../flag.ts";

export interface PlanFlags extends Omit<LivePlanFlags, "rgFile" | "save">, ProjectFlags {
  readonly out?: string;
}

const { rgFile: _rgFile, save: _save, ...planFlags } = livePlanParameters.flags;

export const planCommand = buildCommand<PlanFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./plan-run.ts")).runPlanCommand, warmProgram),
  parameters: {
    flags: {
      ...projectFlags,
      ...planFlags,
      out: textFlag(
        "Keep the plan in a file, for `keelson apply FILE`; it holds digests, no values",
        "file",
      ),
    },
    aliases: { n: "namespace", o: "output" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Shows what an apply would do, field by field; nothing is written",
    fullDescription: describe(
      "Shows what would be created, changed and deleted in one environment of a project, and why.\nValues of Secrets are masked.",
      [
        ["keelson plan", "the project in this directory"],
        ["keelson plan Tiltfile --env staging", "a Tiltfile, in another environment"],
        [
          "keelson plan --out plan.json",
          "keep it; `keelson apply plan.json` does that and nothing else",
        ],
      ],
      "plan",
    ),
  },
});
