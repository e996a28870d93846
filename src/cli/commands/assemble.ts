import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import type { Drawing } from "../views/draw-graph.ts";
import { textFlag, word } from "../flag.ts";

export interface AssembleFlags {
  readonly namespace?: string;
  readonly output: "text" | "json" | Drawing;
}

export const assembleCommand = buildCommand<AssembleFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./assemble-run.ts")).runAssemble),
  parameters: {
    flags: {
      namespace: textFlag(
        "The namespace of objects that name none; that of the current context unless given",
        "name",
      ),
      output: {
        kind: "enum",
        values: ["text", "json", "mermaid", "dot", "svg"],
        default: "text",
        brief: "Text for people, JSON for programs, or a picture",
      },
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "array",
      parameter: word(
        "Files and directories, a Tiltfile, or - for standard input; this directory unless given",
        "input",
      ),
    },
  },
  docs: {
    brief: "Shows the components of an input: workloads and what they use",
    fullDescription: describe(
      "Finds the workloads of an input, names them, and puts every other object with the workload that\nuses it. No cluster is asked and nothing is written.",
      [
        ["keelson assemble deploy/", "all YAML and JSON below a directory"],
        ["helm template chart | keelson assemble -", "what another tool prints"],
        [
          "keelson assemble Tiltfile",
          "the components of a Tiltfile, with its images and dependencies",
        ],
        ["keelson assemble deploy/ --namespace dev", "names as they are in another namespace"],
        ["keelson assemble deploy/ --output json", "the same for programs"],
        ["keelson assemble deploy/ --output svg > components.svg", "as a picture"],
      ],
      "assemble",
    ),
  },
});
