import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";

export type CheckFlags = OutputFlags;

export const checkCommand = buildCommand<CheckFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./check-run.ts")).runCheck),
  parameters: {
    flags: { ...outputFlag },
    aliases: { o: "output" },
    positional: {
      kind: "array",
      parameter: {
        brief: "Files and directories, or - for standard input",
        placeholder: "input",
        parse: String,
      },
    },
  },
  docs: {
    brief:
      "Checks input without applying it: is it well-formed, complete and free of contradictions?",
    fullDescription: describe(
      "Reads the input and reports everything that is wrong with it, with the place of each fault.",
      [
        ["keelson check deploy/", "all YAML and JSON below a directory"],
        ["kubectl kustomize overlay | keelson check -", "what another tool prints"],
        ["keelson check deploy/ --output json", "the same for programs"],
      ],
    ),
  },
});
