import type { ComponentAction, PlanView } from "./control-view.ts";
import type { InventoryView } from "./dashboard-view.ts";
import type { WorldComponent } from "./world.ts";

/** Who does what the page asks for. The dashboard itself writes nothing: it asks, and shows what becomes of it. */
export interface DashboardActions {
  readonly offersFor: (component: WorldComponent) => readonly ComponentAction[];
  readonly canDestroy: (inventory: InventoryView) => boolean;
  /** Does it; tells meanwhile how far it is, and in the end what was done. Throws why not. */
  readonly perform: (task: ActionTask, options: ActionOptions) => Promise<string>;
}

/** What an apply would do; where there is a source. */
export interface DashboardPlans {
  readonly make: () => Promise<PlanView>;
  /** Does exactly what a plan says, or nothing; absent where somebody else applies. */
  readonly apply?: ((id: string, options: ActionOptions) => Promise<string>) | undefined;
}

export interface ActionOptions {
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

export type ActionTask =
  | { readonly kind: ComponentAction; readonly component: WorldComponent }
  | { readonly kind: "destroy"; readonly inventory: InventoryView };
