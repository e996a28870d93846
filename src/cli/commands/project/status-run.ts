import type { CommandHandler } from "../../command.ts";
import { readProject } from "../../../engine/index.ts";
import { withLiveRun } from "../live/live-run.ts";
import { showStatus } from "../live/status-run.ts";
import { appliedGroup } from "../../../engine/index.ts";
import { withNamespace } from "./open-project.ts";
import type { StatusFlags } from "./status.ts";
import { hostOf } from "../../host-of.ts";

export const runStatus: CommandHandler<StatusFlags, [string]> = async (context, flags, input) => {
  const project = await readProject(hostOf(context), input, flags.env);
  return withLiveRun(
    context,
    withNamespace(flags, project),
    { verbose: true },
    async (live, context) =>
      showStatus(
        context,
        flags,
        live,
        await appliedGroup(hostOf(context), input, project, live.namespace),
      ),
  );
};
