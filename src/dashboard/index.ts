/**
 * A page that shows what the inventories of a cluster own and how it is: the server, what it reads of the
 * cluster by watches, and the views that it sends. The page itself is in `web/`.
 *
 * Nothing in this folder writes to a cluster. What the page wants done is checked here, and then asked of
 * the {@link DashboardActions} that it was given; what is known beside the cluster, of a
 * {@link DashboardSource}. It knows neither how sources are read nor how anything is applied. Values of
 * Secrets are masked when they arrive, before anything else sees them.
 */
export type { DashboardServer, ServeDashboardOptions } from "./serve-dashboard.ts";
export { serveDashboard } from "./serve-dashboard.ts";
export type { DashboardActions, DashboardPlans, ActionOptions } from "./dashboard-actions.ts";
export type { DashboardSource, SourceComponent } from "./dashboard-source.ts";
export type { InventoryView, PodLogLine } from "./dashboard-view.ts";
export type { ComponentAction, FieldView, PlannedView, PlanView } from "./control-view.ts";
export type { WorldComponent } from "./world.ts";
