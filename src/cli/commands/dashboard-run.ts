import { ClusterActions } from "../dashboard/cluster-actions.ts";
import { openDashboard } from "../dashboard/open-dashboard.ts";
import { SourcePlans } from "../dashboard/source-plans.ts";
import { withProviders } from "../dashboard/with-providers.ts";
import type { CommandHandler } from "../command.ts";
import { lastingToken } from "../dashboard-token.ts";
import { exitCode } from "../exit-code.ts";
import { interrupted } from "../interrupted.ts";
import { openLastingCluster } from "../open-lasting-cluster.ts";
import { readProject } from "../../engine/index.ts";
import type { DashboardFlags } from "./dashboard.ts";
import { withNamespace } from "./project/open-project.ts";
import { projectProviders } from "./project/program-providers.ts";
import { hostOf } from "../host-of.ts";

export const runDashboard: CommandHandler<DashboardFlags, [string?]> = async (
  context,
  flags,
  input,
) => {
  const { stdout, env } = context.process;
  const token = await lastingToken(env);
  const project =
    input === undefined ? undefined : await readProject(hostOf(context), input, flags.env);
  const chosen = project === undefined ? flags : withNamespace(flags, project);
  const opened = await openLastingCluster(context, chosen);
  try {
    const { cluster, description } = opened;
    const providers = await projectProviders(context, input ?? context.workingDirectory);
    const server = await openDashboard({
      token,
      cluster,
      description,
      port: flags.port,
      providers,
      ...(flags.readOnly
        ? {}
        : {
            actions: new ClusterActions(context, {
              cluster,
              withProviders: withProviders(context, input),
            }),
          }),
      ...(input === undefined || project === undefined
        ? {}
        : { plans: new SourcePlans(context, { input, project, opened }) }),
    });
    // Whoever reads that it is ready may stop it at once.
    const stopped = interrupted();
    try {
      if (flags.output === "json") {
        stdout.write(`${JSON.stringify({ type: "ready", link: server.link })}\n`);
      } else {
        const { bold, dim } = context.style.stdout;
        const may = flags.readOnly ? "read it" : "read it and change what it shows";
        stdout.write(`${bold("The dashboard")} of ${description}\n  ${server.link}\n`);
        stdout.write(`${dim(`Whoever has this link can ${may}. Ctrl-C stops it.`)}\n`);
      }
      await stopped;
    } finally {
      await server.close();
      await providers.close();
    }
    return exitCode.success;
  } finally {
    await opened.cluster.close();
    await opened.end();
  }
};
