import type { DashboardServer } from "../../../dashboard/index.ts";
import type { CliContext } from "../../context.ts";
import { ClusterActions } from "../../dashboard/cluster-actions.ts";
import { openDashboard } from "../../dashboard/open-dashboard.ts";
import { withProviders } from "../../dashboard/with-providers.ts";
import type { OpenedCluster } from "../../open-cluster.ts";
import type { ControllerFlags } from "./controller.ts";

/** The dashboard of a controller: for reading, unless it is told otherwise. */
export async function openControllerDashboard(
  context: CliContext,
  { dashboard, dashboardPort: port, dashboardActions }: ControllerFlags,
  { cluster, description }: OpenedCluster,
): Promise<DashboardServer | undefined> {
  if (!dashboard) return undefined;
  const actions = new ClusterActions(context, {
    cluster,
    withProviders: withProviders(context, undefined),
  });
  // In a pod there is no place to keep a token; a new one is logged with each start.
  return openDashboard({
    cluster,
    description,
    port,
    ...(dashboardActions ? { actions } : {}),
  });
}
