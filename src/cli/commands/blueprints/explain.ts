import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { textFlag, word } from "../../flag.ts";

export interface ExplainFlags extends OutputFlags {
  readonly file?: readonly string[];
  readonly diff?: string;
  readonly graph?: "svg" | "mermaid";
}

export const explainCommand = buildCommand<ExplainFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./explain-run.ts")).runExplain),
  parameters: {
    flags: {
      file: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: "Files and directories of the platform: supply chains, deliveries, templates",
        placeholder: "input",
      },
      diff: textFlag("Another workload: say only what would be different for it", "file"),
      graph: {
        kind: "enum",
        values: ["svg", "mermaid"],
        optional: true,
        brief: "Draw the way through the steps instead",
      },
      ...outputFlag,
    },
    aliases: { f: "file", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [
        word("A file with one Workload or Deliverable, or - for standard input", "workload"),
      ],
    },
  },
  docs: {
    brief: "Explains what a supply chain would do with a workload, and why",
    fullDescription: describe(
      "Says which supply chain is chosen for a workload and why others are not, which option at each\nstep and what became of every requirement, and what would be stamped. It needs no cluster; what\nonly a cluster knows is shown as not known yet.",
      [
        ["keelson explain workload.yaml -f platform/", "the whole way, with the objects"],
        ["keelson explain a.yaml -f platform/ --diff b.yaml", "what is different for b"],
        ["keelson explain a.yaml -f platform/ --graph svg > way.svg", "as a picture"],
        ["keelson explain a.yaml -f platform/ --output json", "for programs"],
      ],
      "explain",
    ),
  },
});
