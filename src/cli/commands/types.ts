import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../cluster-flags.ts";
import { describe, lazily } from "../command.ts";
import type { CliContext } from "../context.ts";
import { textFlag, word } from "../flag.ts";

export interface TypesFlags extends ClusterFlags {
  readonly out?: string;
}

export const typesCommand = buildCommand<TypesFlags, readonly string[], CliContext>({
  loader: lazily(async () => (await import("./types-run.ts")).runTypes),
  parameters: {
    flags: {
      out: textFlag("The file to write; standard output unless given", "file"),
      ...clusterFlags,
    },
    aliases: { n: "namespace" },
    positional: {
      kind: "array",
      parameter: word(
        "Files or directories with definitions; those of the cluster unless given",
        "input",
      ),
    },
  },
  docs: {
    brief: "Writes typed classes for custom kinds, for programs",
    fullDescription: describe(
      "Makes a TypeScript module with a class for each CustomResourceDefinition, so that editors check\nand complete custom resources as they do built-in ones.",
      [
        ["keelson types --out crds.ts", "all definitions of the cluster"],
        ["keelson types crds/ --out crds.ts", "those in files"],
      ],
      "types",
    ),
  },
});
