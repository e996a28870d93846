import type { CommandHandler } from "../../command.ts";
import { readProject } from "../../../engine/index.ts";
import { destroyInventory } from "../live/destroy-run.ts";
import { withLiveRun } from "../live/live-run.ts";
import type { DestroyFlags } from "./destroy.ts";
import { appliedGroup } from "../../../engine/index.ts";
import { projectProviders } from "./program-providers.ts";
import { withNamespace } from "./open-project.ts";
import { hostOf } from "../../host-of.ts";

export const runDestroy: CommandHandler<DestroyFlags, [string]> = async (context, flags, input) => {
  const project = await readProject(hostOf(context), input, flags.env);
  const shown = { verbose: false, showsPlan: flags.dryRun };
  return withLiveRun(context, withNamespace(flags, project), shown, async (live, context) => {
    const group = await appliedGroup(hostOf(context), input, project, live.namespace);
    const providers = await projectProviders(context, input);
    try {
      return await destroyInventory(context, flags, live, { group, providers });
    } finally {
      await providers.close();
    }
  });
};
