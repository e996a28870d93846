import type { DashboardServer } from "../../../dashboard/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import type { CliContext } from "../../context.ts";
import { ClusterActions } from "../../dashboard/cluster-actions.ts";
import { DevActions, DevDashboardSource } from "../../dashboard/dev-dashboard.ts";
import { openDashboard } from "../../dashboard/open-dashboard.ts";
import { SourcePlans } from "../../dashboard/source-plans.ts";
import { withProviders } from "../../dashboard/with-providers.ts";
import { lastingToken } from "../../dashboard-token.ts";
import { report } from "../../report.ts";
import { projectProviders } from "../project/program-providers.ts";
import type { DevArguments } from "./dev-arguments.ts";
import type { OpenedDevLoop } from "./open-dev-loop.ts";
import type { UpFlags } from "./up.ts";

/** The dashboard of a dev loop. That it cannot be served ends nothing, unless a port was asked for. */
export async function openUpDashboard(
  context: CliContext,
  flags: UpFlags,
  { input, args }: DevArguments,
  { loop, project, opened, name }: OpenedDevLoop,
): Promise<DashboardServer | undefined> {
  if (!flags.dashboard) return undefined;
  const { cluster, description } = opened;
  const others = new ClusterActions(context, {
    cluster,
    withProviders: withProviders(context, input),
  });
  const source = new DevDashboardSource(loop, name);
  const folder = input === "-" ? context.workingDirectory : input;
  const providers = await projectProviders(context, folder);
  const close = async (): Promise<void> => {
    source.close();
    await providers.close();
  };
  try {
    const server = await openDashboard({
      token: await lastingToken(context.process.env),
      cluster,
      description,
      port: flags.dashboardPort,
      source,
      providers,
      ...(flags.readOnly ? {} : { actions: new DevActions(context, loop, others) }),
      // What came by a stream cannot be read again.
      ...(input === "-" ? {} : { plans: plansOnly(context, { input, project, opened, args }) }),
    });
    return {
      ...server,
      close: async () => {
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    if (!(error instanceof DiagnosticError) || flags.dashboardPort !== undefined) throw error;
    report(
      context,
      error.diagnostics.map((diagnostic) => ({ ...diagnostic, severity: "warning" })),
      flags.output,
    );
    return undefined;
  }
}

/** The loop itself is who applies. */
function plansOnly(...given: ConstructorParameters<typeof SourcePlans>): Pick<SourcePlans, "make"> {
  const { make } = new SourcePlans(...given);
  return { make };
}
