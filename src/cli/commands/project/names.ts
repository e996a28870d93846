import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourcePositional } from "./flags.ts";

export interface NamesFlags extends ClusterFlags, OutputFlags, ProjectFlags {}

export const namesCommand = buildCommand<NamesFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./names-run.ts")).runNames),
  parameters: {
    flags: { ...projectFlags, ...clusterFlags, ...outputFlag },
    aliases: { n: "namespace", o: "output" },
    positional: sourcePositional,
  },
  docs: {
    brief: "Shows what each resource of a program is called, and what it is",
    fullDescription: describe(
      "Shows the names of all resources that a project has in an environment, each with the id by which\nits own system knows it: the uid of an object, or what its provider gave.",
      [
        ["keelson names", "the project in this directory"],
        ["keelson names --output json", "for programs: one object a line"],
      ],
      "names",
    ),
  },
});
