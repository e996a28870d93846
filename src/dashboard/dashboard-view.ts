/** What the page is told. Types only: the page is built from them too. */
import type { Readiness } from "../readiness/index.ts";
import type { OwnerView } from "./chain-view.ts";
import type { ComponentAction, ControlView, DevView } from "./control-view.ts";

export interface DashboardView {
  readonly cluster: string;
  readonly inventories: readonly InventoryView[];
  readonly components: readonly ComponentView[];
  /** Workloads and Deliverables of supply chains and deliveries. */
  readonly owners: readonly OwnerView[];
  /** What keeps the view from being complete, in words for the user. */
  readonly problems: readonly string[];
  /** Whether everything has been read once. */
  readonly isComplete: boolean;
  readonly control: ControlView;
}

/** What has changed since the last message. */
export interface DashboardChange extends Omit<DashboardView, "components" | "owners"> {
  /** All of them, when any has changed. */
  readonly owners?: readonly OwnerView[];
  readonly changed: readonly ComponentView[];
  readonly removed: readonly string[];
}

export interface InventoryView {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  readonly created: string;
  readonly objects: number;
  /** How many of them are resources of a program. */
  readonly named: number;
  /** When a run last changed something, as far as that is remembered. */
  readonly changed: string;
}

/** One run that changed something. */
export interface HistoryView {
  readonly at: string;
  readonly by: string;
  readonly command: string;
  readonly summary: string;
  readonly objects: readonly HistoryObjectView[];
  /** How many objects nobody remembers any more. */
  readonly cut: number;
}

export interface HistoryObjectView {
  readonly key: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: string;
  /** The paths of the fields that changed. */
  readonly fields: readonly string[];
  readonly more: number;
  readonly was: string;
}

/** A resource of a program. */
export interface NameView extends Readiness {
  readonly key: string;
  readonly name: string;
  /** The id by which its own system knows it. */
  readonly id: string;
  readonly type: string;
  readonly provider: string;
  /** How far its provider is; empty for objects of Kubernetes. */
  readonly phase: string;
  readonly inventory: string;
  readonly component: string;
  /** What it was called before. */
  readonly former: readonly string[];
}

export interface ComponentView extends Readiness {
  readonly key: string;
  readonly name: string;
  readonly inventory: string;
  readonly namespace: string;
  /** The kind of its workload; empty for objects without one. */
  readonly workload: string;
  readonly created: string;
  readonly endpoints: readonly string[];
  /** Of its workload: `tier=web`. */
  readonly labels: readonly string[];
  /** When a run last changed it, as far as that is remembered; else when it was created. */
  readonly updated: string;
  readonly objects: readonly ObjectView[];
  /** Changes whenever anything that its own view shows has changed. */
  readonly version: string;
  /** What a dev loop says of it. */
  readonly dev?: DevView;
  readonly offers: readonly ComponentAction[];
  /** Whether something of it runs; what does not is shown behind what does. */
  readonly runs: boolean;
}

export interface ObjectView extends Readiness {
  readonly key: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly created: string;
  /** The inventory that the object says it belongs to, when it is another one. */
  readonly otherOwner?: string;
  /** A command of the user has put it there; no inventory names it. */
  readonly isDeployed?: boolean;
}

export interface ComponentDetail {
  readonly objects: readonly ObjectDetail[];
  readonly pods: readonly PodView[];
  readonly events: readonly EventView[];
}

export interface ObjectDetail {
  readonly key: string;
  readonly yaml: string;
  readonly conditions: readonly ConditionView[];
}

export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
}

export interface PodView extends Readiness {
  readonly name: string;
  readonly created: string;
  readonly restarts: number;
  readonly containers: readonly string[];
}

export interface EventView {
  readonly key: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly about: string;
  readonly count: number;
  readonly last: string;
}

export interface PodLogLine {
  readonly pod: string;
  readonly container: string;
  /** When it was written; empty where that is not known. */
  readonly time: string;
  readonly text: string;
}

/** Where the nodes and edges of a graph are drawn; how each is, the components tell. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  readonly key: string;
  /** What it is drawn together with. */
  readonly component: string;
  /** The name of that, where it is no component but a step of a supply chain. */
  readonly group?: string;
  /** Whose step it is. */
  readonly owner?: string;
  readonly kind: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly soft: boolean;
  readonly path: string;
}
