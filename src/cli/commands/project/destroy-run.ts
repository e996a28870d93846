import type { ProgramRun } from "../../../apply/index.ts";
import type { ProviderHost } from "../../../providers/index.ts";
import type { CommandHandler } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { readProject } from "../../source/project.ts";
import { destroyInventory } from "../live/destroy-run.ts";
import { withLiveRun } from "../live/live-run.ts";
import type { DestroyFlags } from "./destroy.ts";
import { projectGroup } from "./load-project.ts";
import { projectProviders } from "./program-providers.ts";
import { withNamespace } from "./open-project.ts";

export const runDestroy: CommandHandler<DestroyFlags, [string]> = async (context, flags, input) => {
  const project = await readProject(context, input, flags.env);
  const shown = { verbose: false, showsPlan: flags.dryRun };
  return withLiveRun(context, withNamespace(flags, project), shown, async (live) => {
    const group = projectGroup(project, live.namespace);
    if (!flags.dryRun) await confirm(context, `Delete everything of ${group.name}?`, flags);
    const providers = await projectProviders(context, input);
    try {
      return await destroyInventory(flags, live, group, leaving(providers));
    } finally {
      await providers.close();
    }
  });
};

/** A program that wishes for nothing any more; what it had made, its providers can take away. */
function leaving(providers: ProviderHost): ProgramRun {
  const desired: ProgramRun["desired"] = {
    objects: [],
    byKey: new Map(),
    resources: new Map(),
    keyOf: new Map(),
    edges: [],
    barriers: new Map(),
  };
  return {
    desired,
    desiredAs: () => desired,
    providers,
    resolve: () => Promise.reject(new Error("nothing is left to be computed")),
  };
}
