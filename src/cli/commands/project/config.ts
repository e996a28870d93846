import { buildCommand, buildRouteMap } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { switchFlag, word } from "../../flag.ts";
import { outputFlag, type OutputFlags } from "../../output-flag.ts";
import { projectFlags, type ProjectFlags, sourceFlag, type SourceFlags } from "./flags.ts";

export interface ConfigGetFlags extends OutputFlags, ProjectFlags, SourceFlags {}

const getCommand = buildCommand<ConfigGetFlags, [string?], CliContext>({
  loader: lazily(async () => (await import("./config-run.ts")).runConfigGet),
  parameters: {
    flags: { ...projectFlags, ...sourceFlag, ...outputFlag },
    aliases: { o: "output" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "The value to print alone; all of them unless given",
          placeholder: "name",
          parse: String,
          optional: true,
        },
      ],
    },
  },
  docs: {
    brief: "Shows the values of an environment, and where they come from",
    fullDescription: describe(
      "Shows the values that the program would read in an environment, each with the file that says it.",
      [
        ["keelson config get --env staging", "all values of an environment"],
        ["keelson config get replicas", "one value, and nothing else"],
      ],
      "config get",
    ),
  },
});

export interface ConfigSetFlags extends ProjectFlags, SourceFlags {
  readonly everywhere: boolean;
  readonly text: boolean;
}

const setCommand = buildCommand<ConfigSetFlags, [string, string], CliContext>({
  loader: lazily(async () => (await import("./config-run.ts")).runConfigSet),
  parameters: {
    flags: {
      ...projectFlags,
      ...sourceFlag,
      everywhere: switchFlag("Write it into keelson.json, for every environment"),
      text: switchFlag("Take the value as text, also where it looks like JSON"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        word("The name of the value", "name"),
        word("The value: JSON, or else text", "value"),
      ],
    },
  },
  docs: {
    brief: "Sets a value in the file of an environment",
    fullDescription: describe(
      "Writes a value into keelson.<env>.json beside keelson.json, where a program reads it by\nconfig.require(name). No secrets: the file is plain text.",
      [
        ["keelson config set replicas 3 --env staging", "into keelson.staging.json"],
        ["keelson config set host shop.example.com --everywhere", "into keelson.json"],
      ],
      "config set",
    ),
  },
});

export const configCommands = buildRouteMap({
  routes: { get: getCommand, set: setCommand },
  docs: {
    brief: "Shows and sets the values that a program reads, by environment",
    fullDescription: describe(
      "Shows and sets the values that a program reads by config.require(name).",
      [
        ["keelson config get", "the values of the environment"],
        ["keelson config set replicas 3 --env staging", "a value of one environment"],
      ],
    ),
  },
});
