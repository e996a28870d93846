import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { onlyWord, switchFlag, textFlag } from "../../flag.ts";

export interface InitFlags {
  readonly name?: string;
  readonly force: boolean;
}

export const initCommand = buildCommand<InitFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./init-run.ts")).runInit),
  parameters: {
    flags: {
      name: textFlag("The name of the project; that of the directory unless given", "name"),
      force: switchFlag("Overwrite files that exist"),
    },
    positional: onlyWord("The directory of the project", "directory", "."),
  },
  docs: {
    brief: "Makes a small program to begin with",
    fullDescription: describe(
      "Writes a program in TypeScript, with what an editor needs to check and complete it. It runs as it\nis, without a build.",
      [
        ["keelson init shop", "a project in a new directory"],
        ["cd shop && keelson apply", "bring it into the sandbox"],
      ],
      "init",
    ),
  },
});
