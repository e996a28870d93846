import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";
import { word } from "../../flag.ts";

export interface ImportFlags extends ClusterFlags, OutputFlags, ProjectFlags, SourceFlags {}

export const importCommand = buildCommand<ImportFlags, [string, string], CliContext>({
  loader: lazily(async () => (await import("./import-run.ts")).runImport),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      ...clusterFlags,
      ...outputFlag,
    },
    aliases: { n: "namespace", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [
        word("The name of the resource", "name"),
        word("The id by which its provider knows it", "id"),
      ],
    },
  },
  docs: {
    brief: "Takes over a resource that exists already",
    fullDescription: describe(
      "Records that a resource of the program is what its provider knows by an id, so that an apply\nchanges it instead of making another one.",
      [
        [
          'keelson import "dev:shop:main:acme/s3:index/Bucket#assets" my-bucket',
          "an existing bucket",
        ],
      ],
      "import",
    ),
  },
});
