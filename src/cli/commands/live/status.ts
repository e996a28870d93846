import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import {
  durationFlag,
  rgFileFlag,
  liveOutputFlag,
  type RunOutput,
  packagePositional,
} from "./flags.ts";
import { switchFlag } from "../../flag.ts";

export interface LiveStatusFlags extends ClusterFlags {
  readonly rgFile?: string;
  readonly pollUntil: "known" | "current" | "deleted" | "forever";
  readonly timeout: number;
  readonly history: boolean;
  readonly output: RunOutput;
}

export const liveStatusParameters = {
  flags: {
    ...rgFileFlag,
    pollUntil: {
      kind: "enum",
      values: ["known", "current", "deleted", "forever"],
      default: "known",
      brief: "When to end: at once, when all are ready, when all are gone, or never",
    },
    timeout: durationFlag("How long to wait"),
    history: switchFlag("Show what runs have changed instead, the newest first"),
    ...clusterFlags,
    ...liveOutputFlag,
  },
  aliases: { n: "namespace", o: "output" },
  positional: packagePositional,
} as const;

export const liveStatusCommand = buildCommand<LiveStatusFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./status-run.ts")).runLiveStatus),
  parameters: liveStatusParameters,
  docs: {
    brief: "Shows how the objects of an inventory are",
    fullDescription: describe(
      "Shows the status of every object that an inventory owns, and waits for it if asked.",
      [
        ["keelson live status deploy/", "how it is now"],
        [
          "keelson live status deploy/ --poll-until current --timeout 5m",
          "wait until all is ready",
        ],
        ["keelson live status deploy/ --history", "which runs changed what"],
      ],
      "live status",
    ),
  },
});
