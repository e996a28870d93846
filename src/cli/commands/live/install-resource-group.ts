import { buildCommand } from "@stricli/core";
import { clusterFlags, type ClusterFlags } from "../../cluster-flags.ts";
import { describe, lazily } from "../../command.ts";
import type { CliContext } from "../../context.ts";

export const liveInstallResourceGroupCommand = buildCommand<ClusterFlags, [], CliContext>({
  loader: lazily(async () => (await import("./install-resource-group-run.ts")).runInstallGroup),
  parameters: { flags: clusterFlags, aliases: { n: "namespace" } },
  docs: {
    brief: "Installs the kind ResourceGroup, in which inventories are kept",
    fullDescription: describe(
      "Writes the definition of ResourceGroup where it is absent or older. `live apply` does so by itself; this\ncommand is for accounts that may write definitions where those that apply may not.",
      [["keelson live install-resource-group", "once for each cluster"]],
      "live install-resource-group",
    ),
  },
});
