import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { parseDuration } from "../../duration.ts";
import { type DevLoopFlags, devLoopFlags, devLoopPositional } from "./flags.ts";
import { parsedFlag, textFlag } from "../../flag.ts";

export interface CiFlags extends DevLoopFlags {
  readonly timeout?: number;
  readonly gracePeriod?: number;
  readonly junit?: string;
}

export const ciCommand = buildCommand<CiFlags, string[], CliContext>({
  loader: lazily(async () => (await import("./ci-run.ts")).runCi),
  parameters: {
    flags: {
      timeout: parsedFlag(
        parseDuration,
        "How long it may take in all; of ci_settings in a Tiltfile, or 30m, unless given",
        "duration",
      ),
      gracePeriod: parsedFlag(
        parseDuration,
        "How long something may be broken before that counts; not at all unless given",
        "duration",
      ),
      junit: textFlag("Write a report with a test case for each component", "file"),
      ...devLoopFlags,
    },
    aliases: { n: "namespace", o: "output" },
    positional: devLoopPositional,
  },
  docs: {
    brief: "Runs a project until all of it is ready, or something fails",
    fullDescription: describe(
      "Does what `keelson up` does, once: ends with code 0 when every component is updated and ready,\nand with code 3 as soon as one fails or the time is over. Local servers end with it; what is in\nthe cluster stays.",
      [
        ["keelson ci", "the project in this directory"],
        ["keelson ci --timeout 10m --junit report.xml", "with a limit and a report"],
        ["keelson ci Tiltfile web --output json", "one component, as JSON"],
      ],
      "ci",
    ),
  },
});
