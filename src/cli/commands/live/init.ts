import { buildCommand } from "@stricli/core";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { rgFileFlag, directoryPositional } from "./flags.ts";
import { switchFlag, textFlag } from "../../flag.ts";

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
      name: textFlag("The name of the inventory; inventory- and eight digits unless given", "name"),
      namespace: textFlag(
        "The namespace that the inventory is kept in; default unless given",
        "name",
      ),
      inventoryId: textFlag("The id of an inventory that exists already", "id"),
      ...rgFileFlag,
      force: switchFlag("Replace a file that is there"),
      quiet: switchFlag("Say nothing"),
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
