import { serveDashboard } from "../../dashboard/index.ts";
import { openProviders } from "../../providers/index.ts";
import type { CommandHandler } from "../command.ts";
import { lastingToken } from "../dashboard-token.ts";
import { exitCode } from "../exit-code.ts";
import { interrupted } from "../interrupted.ts";
import { openLastingCluster } from "../open-lasting-cluster.ts";
import type { DashboardFlags } from "./dashboard.ts";

export const runDashboard: CommandHandler<DashboardFlags, []> = async (context, flags) => {
  const { stdout, env } = context.process;
  const token = await lastingToken(env);
  const opened = await openLastingCluster(context, flags);
  try {
    const { cluster, description } = opened;
    const providers = openProviders({
      projectFolder: context.workingDirectory,
      environment: env,
    });
    const server = await serveDashboard({
      cluster,
      description,
      port: flags.port,
      token,
      providers,
    });
    try {
      if (flags.output === "json") {
        stdout.write(`${JSON.stringify({ type: "ready", link: server.link })}\n`);
      } else {
        const { bold, dim } = context.style.stdout;
        stdout.write(`${bold("The dashboard")} of ${description}\n  ${server.link}\n`);
        stdout.write(`${dim("Whoever has this link can read it. Ctrl-C stops it.")}\n`);
      }
      await interrupted();
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
