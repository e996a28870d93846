import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../cluster-flags.ts";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { outputFlag, type OutputFlags } from "../output-flag.ts";
import { switchFlag, word } from "../flag.ts";

export interface CheckFlags extends OutputFlags, ClusterFlags {
  readonly cluster: boolean;
  readonly noExecution: boolean;
}

export const checkCommand = buildCommand<CheckFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./check-run.ts")).runCheck),
  parameters: {
    flags: {
      cluster: switchFlag("Also ask the cluster: does it answer, and does it know these kinds?"),
      noExecution: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Run no code of the input: parse it, check types and objects, say what is not known",
      },
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "array",
      parameter: word("Files and directories, or - for standard input", "input"),
    },
  },
  docs: {
    brief: "Checks input without a cluster, or whether a cluster answers",
    fullDescription: describe(
      "Reads the input and reports everything that is wrong with it, with the place of each fault:\nsyntax, unknown and missing fields, values that their kind refuses, objects that are there twice; of\nprograms also their types, by the TypeScript of their project. Objects are validated offline, with the\nschemas of Kubernetes and the definitions in the input. Nothing is written.",
      [
        ["keelson check deploy/", "all YAML and JSON below a directory"],
        ["kubectl kustomize overlay | keelson check -", "what another tool prints"],
        ["keelson check --no-execution .", "what somebody else wrote, before any of it runs"],
        ["keelson check --cluster", "which cluster would be used, and does it answer?"],
        ["keelson check deploy/ --output json", "the same for programs"],
      ],
      "check",
    ),
  },
});
