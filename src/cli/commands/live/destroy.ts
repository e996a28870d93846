import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import {
  durationFlag,
  type ForgetFlags,
  forgetKindFlag,
  type PolicyFlags,
  policyFlag,
  propagationPolicies,
  rgFileFlag,
  statusPolicyFlag,
  type StatusPolicyFlags,
  liveOutputFlag,
  type RunOutput,
  packagePositional,
} from "./flags.ts";
import { switchFlag, yesFlag } from "../../flag.ts";

export interface LiveDestroyFlags
  extends ClusterFlags, PolicyFlags, StatusPolicyFlags, ForgetFlags {
  readonly rgFile?: string;
  readonly deleteTimeout: number;
  readonly deletePropagationPolicy: (typeof propagationPolicies)[number];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly showStatusEvents: boolean;
  readonly allowSkips: boolean;
  readonly output: RunOutput;
}

export const liveDestroyParameters = {
  flags: {
    ...rgFileFlag,
    ...policyFlag,
    deleteTimeout: durationFlag("How long to wait in all for objects to go"),
    deletePropagationPolicy: {
      kind: "enum",
      values: propagationPolicies,
      default: "Background",
      brief: "What becomes of the dependents of deleted objects",
    },
    dryRun: switchFlag("Show what would happen; nothing at all is written"),
    ...yesFlag,
    showStatusEvents: switchFlag("Show every change of status, and what was left as it is"),
    ...statusPolicyFlag,
    ...forgetKindFlag,
    allowSkips: switchFlag("Objects that were refused by policy are no reason for exit code 2"),
    ...clusterFlags,
    ...liveOutputFlag,
  },
  aliases: { n: "namespace", o: "output", y: "yes" },
  positional: packagePositional,
} as const;

export const liveDestroyCommand = buildCommand<LiveDestroyFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./destroy-run.ts")).runLiveDestroy),
  parameters: liveDestroyParameters,
  docs: {
    brief: "Deletes everything that an inventory owns",
    fullDescription: describe(
      "Deletes all objects of an inventory, dependents first, and then the inventory itself.\nOn a terminal it lists them and asks.",
      [
        ["keelson live destroy deploy/", "what was applied from this directory"],
        ["keelson live destroy --rg-file rg.yaml", "what belongs to this ResourceGroup"],
        ["keelson live destroy deploy/ --dry-run", "what would happen"],
      ],
      "live destroy",
    ),
  },
});
