import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { type PolicyFlags, policyFlag } from "../live/flags.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";

export interface PlanFlags extends ClusterFlags, PolicyFlags, OutputFlags, ProjectFlags {
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly out?: string;
}

export const planCommand = buildCommand<PlanFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./plan-run.ts")).runPlan),
  parameters: {
    flags: {
      ...projectFlags,
      ...policyFlag,
      fieldManager: {
        kind: "parsed",
        parse: String,
        default: "keelson",
        brief: "The name under which fields are owned",
      },
      forceConflicts: {
        kind: "boolean",
        default: false,
        brief: "Show what taking fields over from other managers would do",
      },
      out: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Keep the plan in a file, for `keelson apply FILE`; it holds digests, no values",
        placeholder: "file",
      },
      ...clusterFlags,
      ...outputFlag,
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
    ),
  },
});
