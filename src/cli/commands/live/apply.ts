import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import {
  durationFlag,
  fieldManagerFlag,
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
  validationFlag,
  type ValidationFlags,
  packagePositional,
} from "./flags.ts";
import { hiddenSwitch, switchFlag, textFlag } from "../../flag.ts";

export interface LiveApplyFlags
  extends ClusterFlags, PolicyFlags, StatusPolicyFlags, ForgetFlags, ValidationFlags {
  readonly rgFile?: string;
  readonly reconcileTimeout: number;
  readonly pruneTimeout: number;
  readonly prunePropagationPolicy: (typeof propagationPolicies)[number];
  readonly serverSide: boolean;
  readonly forceConflicts: boolean;
  readonly plan?: string;
  readonly fieldManager: string;
  readonly installResourceGroup: boolean;
  readonly dryRun: boolean;
  readonly showStatusEvents: boolean;
  readonly allowSkips: boolean;
  readonly wait: boolean;
  readonly waitForJobs: boolean;
  readonly pruneDespiteFailures: boolean;
  readonly output: RunOutput;
}

export const liveApplyParameters = {
  flags: {
    ...rgFileFlag,
    ...policyFlag,
    reconcileTimeout: durationFlag("How long to wait in all for objects to become ready"),
    pruneTimeout: durationFlag("How long to wait in all for pruned objects to go"),
    prunePropagationPolicy: {
      kind: "enum",
      values: propagationPolicies,
      default: "Background",
      brief: "What becomes of the dependents of pruned objects",
    },
    serverSide: hiddenSwitch("Accepted for kpt's sake: applies are always server-side"),
    forceConflicts: switchFlag("Take fields over that other managers own"),
    ...validationFlag,
    plan: textFlag("Do exactly what this saved plan says, or nothing", "file"),
    ...fieldManagerFlag,
    installResourceGroup: hiddenSwitch(
      "Accepted for kpt's sake: the kind ResourceGroup is installed when it is absent",
    ),
    dryRun: switchFlag("Show what would happen; nothing at all is written"),
    showStatusEvents: switchFlag("Show every change of status, and what was left as it is"),
    ...statusPolicyFlag,
    ...forgetKindFlag,
    allowSkips: switchFlag("Objects that were refused by policy are no reason for exit code 2"),
    wait: switchFlag("Wait until everything is ready", true),
    waitForJobs: switchFlag("Wait until Jobs have completed, not only begun"),
    pruneDespiteFailures: switchFlag("Prune also when something that was applied is not ready"),
    ...clusterFlags,
    ...liveOutputFlag,
  },
  aliases: { n: "namespace", o: "output" },
  positional: packagePositional,
} as const;

export const liveApplyCommand = buildCommand<LiveApplyFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./apply-run.ts")).runLiveApply),
  parameters: liveApplyParameters,
  docs: {
    brief: "Applies a package, waits until it is ready, and prunes what left it",
    fullDescription: describe(
      "Applies all objects of a directory or a stream as one inventory: in the order of their\ndependencies, only what changed, and deletes what a former apply brought and this one does not.",
      [
        ["keelson live apply deploy/", "a directory with its resourcegroup.yaml"],
        ["kubectl kustomize overlay | keelson live apply -", "what another tool prints"],
        [
          "helm template chart | keelson live apply --rg-file rg.yaml -",
          "with the inventory in a file of its own",
        ],
        ["keelson live apply deploy/ --dry-run", "what would happen"],
        [
          "keelson live apply deploy/ --plan deploy.plan",
          "what `live plan --save` showed, and nothing else",
        ],
      ],
      "live apply",
    ),
  },
});
