import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../cluster-flags.ts";
import { describe, lazily } from "../command.ts";
import { warmProgram } from "../warm-program.ts";
import type { CliContext } from "../context.ts";
import { switchFlag, word } from "../flag.ts";

export interface GraphFlags extends ClusterFlags {
  readonly format: "text" | "mermaid" | "dot" | "svg";
  readonly live: boolean;
}

export const graphCommand = buildCommand<GraphFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./graph-run.ts")).runGraph, warmProgram),
  parameters: {
    flags: {
      format: {
        kind: "enum",
        values: ["text", "mermaid", "dot", "svg"],
        default: "text",
        brief: "How to draw it",
      },
      live: switchFlag(
        "Show how each object is in the cluster: as text in words, in pictures by colour",
      ),
      ...clusterFlags,
    },
    aliases: { n: "namespace" },
    positional: {
      kind: "array",
      parameter: word(
        "Files and directories, or - for standard input; this directory unless given",
        "input",
      ),
    },
  },
  docs: {
    brief: "Draws what waits for what",
    fullDescription: describe(
      "Shows the objects of an input and which of them must be there before which others, and why.",
      [
        ["keelson graph deploy/", "as text"],
        ["keelson graph deploy/ --format svg > graph.svg", "as a picture"],
        ["kubectl kustomize overlay | keelson graph - --format mermaid", "for a page"],
        ["keelson graph deploy/ --live --format svg > graph.svg", "coloured by status"],
      ],
      "graph",
    ),
  },
});
