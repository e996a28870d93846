/**
 * A page that shows what the inventories of a cluster own and how it is: the server, what it reads of the
 * cluster by watches, and the views that it sends. The page itself is in `web/`.
 *
 * Reads only; nothing in this folder writes to a cluster. Values of Secrets are masked when they arrive,
 * before anything else sees them.
 */
export type { DashboardServer, ServeDashboardOptions } from "./serve-dashboard.ts";
export { serveDashboard } from "./serve-dashboard.ts";
