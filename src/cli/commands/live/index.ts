import { buildRouteMap } from "@stricli/core";
import { describe } from "../../command.ts";
import { liveApplyCommand } from "./apply.ts";
import { liveDestroyCommand } from "./destroy.ts";
import { liveInitCommand } from "./init.ts";
import { liveInstallResourceGroupCommand } from "./install-resource-group.ts";
import { liveMigrateCommand } from "./migrate.ts";
import { livePlanCommand } from "./plan.ts";
import { liveRecoverCommand } from "./recover.ts";
import { liveStatusCommand } from "./status.ts";

/** kpt's words: a package, its inventory, apply and prune. */
export const liveCommands = buildRouteMap({
  routes: {
    init: liveInitCommand,
    migrate: liveMigrateCommand,
    plan: livePlanCommand,
    apply: liveApplyCommand,
    status: liveStatusCommand,
    destroy: liveDestroyCommand,
    recover: liveRecoverCommand,
    "install-resource-group": liveInstallResourceGroupCommand,
  },
  docs: {
    brief: "Applies YAML as kpt does: an inventory owns what it applied",
    fullDescription: describe(
      "Owns what it applied by a ResourceGroup in the cluster, so that what leaves the package is deleted.",
      [
        ["keelson live init deploy/", "make the inventory of a package"],
        ["keelson live apply deploy/", "apply it, wait, prune"],
        ["keelson live destroy deploy/", "delete all of it"],
      ],
    ),
  },
});
