import {
  type DashboardServer,
  serveDashboard,
  type ServeDashboardOptions,
} from "../../dashboard/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";

/** Where the dashboard is looked for. */
const usualPort = 8437;

type Options = Omit<ServeDashboardOptions, "port"> & { readonly port: number | undefined };

/** Without a port it is served on the usual one, or on any if that is taken. */
export async function openDashboard({ port, ...options }: Options): Promise<DashboardServer> {
  if (port !== undefined) return serveDashboard({ ...options, port });
  try {
    return await serveDashboard({ ...options, port: usualPort });
  } catch (error) {
    const isTaken =
      error instanceof DiagnosticError && error.diagnostics[0]?.code === "dashboard.port-taken";
    if (!isTaken) throw error;
    return serveDashboard({ ...options, port: 0 });
  }
}
