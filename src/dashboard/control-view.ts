/** What the page is told of what can be done, and of what is being done. Types only. */
import type { DiagnosticJson } from "../diagnostics/index.ts";
import type { AxisStatus, Endpoint, RuntimeStatus, UpdateStatus } from "../events/index.ts";

/** What can be done with a component. */
export type ComponentAction = "trigger" | "restart" | "disable" | "enable" | "delete";

export interface ControlView {
  /** Whether the server refuses every action. */
  readonly isReadOnly: boolean;
  /** Whether there is a source, so that there can be a plan. */
  readonly canPlan: boolean;
  readonly canApply: boolean;
  /** How the source is that everything is made from; none where the cluster is all that is known. */
  readonly source?: SourceStateView | undefined;
  /** The inventories that may be deleted, by key. */
  readonly destroyable: readonly string[];
  /** The last actions, the newest first. */
  readonly actions: readonly ActionView[];
}

export interface SourceStateView {
  readonly name: string;
  readonly status: "loading" | "ok" | "error";
  readonly message: string;
  /** What is wrong with it. */
  readonly diagnostics: readonly DiagnosticJson[];
}

/** A component as a dev loop knows it: two axes, and where it can be reached. */
export interface DevView {
  /** As the source gives them. */
  readonly labels: readonly string[];
  readonly update: AxisStatus<UpdateStatus>;
  readonly runtime: AxisStatus<RuntimeStatus>;
  readonly endpoints: readonly Endpoint[];
  /** Files that changed since the last update began. */
  readonly changedFiles: readonly string[];
  /** When the last update ended; empty before that. */
  readonly updated: string;
  readonly isLocal: boolean;
}

export interface ActionView {
  readonly id: string;
  readonly kind: ComponentAction | "apply" | "destroy";
  /** What it is about, as the user would name it. */
  readonly subject: string;
  /** The key of the component or inventory. */
  readonly target: string;
  readonly status: "running" | "done" | "failed";
  /** What it does at the moment, or what became of it. */
  readonly message: string;
  readonly diagnostics: readonly DiagnosticJson[];
  readonly began: string;
  /** Empty as long as it runs. */
  readonly ended: string;
}

/** What the page sends to have something done. */
export type ActionOrder =
  | { readonly kind: Exclude<ComponentAction, "delete">; readonly component: string }
  /** With the name of what goes, typed by the user. */
  | { readonly kind: "delete"; readonly component: string; readonly confirmation: string }
  | { readonly kind: "destroy"; readonly inventory: string; readonly confirmation: string }
  | { readonly kind: "apply"; readonly plan: string };

/** What the page is told when it asks for a plan. */
export type PlanAnswer =
  | { readonly kind: "planned"; readonly plan: PlanView }
  | { readonly kind: "failed"; readonly diagnostics: readonly DiagnosticJson[] };

/** What an apply would do. */
export interface PlanView {
  readonly id: string;
  readonly made: string;
  /** The key of the inventory. */
  readonly inventory: string;
  readonly objects: readonly PlannedView[];
  /** How many objects stay as they are. */
  readonly unchanged: number;
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface PlannedView {
  readonly key: string;
  /** The name of its component; empty where the source does not say. */
  readonly component: string;
  /** What a person calls it. */
  readonly name: string;
  readonly action: "create" | "update" | "replace" | "prune" | "keep" | "skip";
  readonly message: string;
  readonly changes: readonly FieldView[];
  /** What is created. */
  readonly yaml?: string | undefined;
  /** Why the server would refuse it. */
  readonly refusal?: string | undefined;
}

/** One field that changes, as text; without `before` it is new, without `after` it goes. */
export interface FieldView {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}
