import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import {
  fieldManagerFlag,
  type PolicyFlags,
  policyFlag,
  rgFileFlag,
  packagePositional,
  validationFlag,
  type ValidationFlags,
} from "./flags.ts";
import { switchFlag, textFlag } from "../../flag.ts";

export interface LivePlanFlags extends ClusterFlags, PolicyFlags, ValidationFlags, OutputFlags {
  readonly rgFile?: string;
  readonly fieldManager: string;
  readonly forceConflicts: boolean;
  readonly save?: string;
}

export const livePlanParameters = {
  flags: {
    ...rgFileFlag,
    ...policyFlag,
    ...fieldManagerFlag,
    forceConflicts: switchFlag("Show what taking fields over from other managers would do"),
    ...validationFlag,
    save: textFlag(
      "Keep the plan in a file, for `live apply --plan`; it holds digests, no values",
      "file",
    ),
    ...clusterFlags,
    ...outputFlag,
  },
  aliases: { n: "namespace", o: "output" },
  positional: packagePositional,
} as const;

export const livePlanCommand = buildCommand<LivePlanFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./plan-run.ts")).runLivePlan),
  parameters: livePlanParameters,
  docs: {
    brief: "Shows what an apply would do, field by field; nothing is written",
    fullDescription: describe(
      "Shows what would be created, changed, pruned and skipped, and why. What would change is asked\nof the server by a dry run. Values of Secrets are masked.",
      [
        ["keelson live plan deploy/", "the changes of a directory"],
        ["kubectl kustomize overlay | keelson live plan -", "of what another tool prints"],
        [
          "keelson live plan deploy/ --save deploy.plan",
          "then `keelson live apply deploy/ --plan deploy.plan` does that and nothing else",
        ],
        ["keelson live plan deploy/ --output json", "for programs: one object a line"],
      ],
      "live plan",
    ),
  },
});
