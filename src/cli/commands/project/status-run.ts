import type { CommandHandler } from "../../command.ts";
import { readProject } from "../../source/project.ts";
import { withLiveRun } from "../live/live-run.ts";
import { showStatus } from "../live/status-run.ts";
import { appliedGroup } from "./load-project.ts";
import { withNamespace } from "./open-project.ts";
import type { StatusFlags } from "./status.ts";

export const runStatus: CommandHandler<StatusFlags, [string]> = async (context, flags, input) => {
  const project = await readProject(context, input, flags.env);
  return withLiveRun(
    context,
    withNamespace(flags, project),
    { verbose: true },
    async (live, context) =>
      showStatus(context, flags, live, await appliedGroup(context, input, project, live.namespace)),
  );
};
