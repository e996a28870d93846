import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { rgFileFlag, directoryPositional } from "./flags.ts";

export interface LiveInitFlags {
  readonly name?: string;
  readonly namespace?: string;
  readonly inventoryId?: string;
  readonly rgFile?: string;
  readonly force: boolean;
  readonly quiet: boolean;
}

export const liveInitCommand = buildCommand<LiveInitFlags, [string], CliContext>({
  loader: lazily(async () => (await import("./init-run.ts")).runLiveInit),
  parameters: {
    flags: {
      name: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The name of the inventory; inventory- and eight digits unless given",
        placeholder: "name",
      },
      namespace: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The namespace that the inventory is kept in; default unless given",
        placeholder: "name",
      },
      inventoryId: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The id of an inventory that exists already",
        placeholder: "id",
      },
      ...rgFileFlag,
      force: { kind: "boolean", default: false, brief: "Replace a file that is there" },
      quiet: { kind: "boolean", default: false, brief: "Say nothing" },
    },
    positional: directoryPositional,
  },
  docs: {
    brief: "Makes the ResourceGroup of a package",
    fullDescription: describe(
      "Writes resourcegroup.yaml, which says which inventory a package belongs to.",
      [
        ["keelson live init deploy/", "deploy/resourcegroup.yaml with a name of its own"],
        ["keelson live init --name shop --namespace web", "with names that you choose"],
        ["keelson live init --rg-file chart/resourcegroup.yaml", "in another place"],
      ],
      "live init",
    ),
  },
});
