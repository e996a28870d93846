import type { ObjectIdentity } from "../objects/index.ts";
import type { DevView, SourceStateView } from "./control-view.ts";
import type { PodLogLine } from "./dashboard-view.ts";

/** What is known of components from where they are made, beside what the cluster says. */
export interface DashboardSource {
  readonly state: () => SourceStateView;
  /** The inventory that all of it is applied as; undefined until that is known. */
  readonly group: () => SourceGroup | undefined;
  readonly components: () => readonly SourceComponent[];
  /** Told whenever any of that has changed. Returns how to stop. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** What a component has logged, then what it logs. Returns how to stop. */
  readonly followLogs: (
    component: string,
    onLines: (lines: readonly PodLogLine[]) => void,
  ) => () => void;
}

export interface SourceGroup {
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
}

export interface SourceComponent {
  readonly name: string;
  /** Identity keys of its objects, whether they are there or not. */
  readonly objects: ReadonlySet<string>;
  /** The identity key of the one that runs something. */
  readonly workload?: string | undefined;
  /** What commands of the user have put into the cluster for it, which no inventory names. */
  readonly deployed: readonly ObjectIdentity[];
  /** Names of the components that must be ready before it. */
  readonly waitsFor: readonly string[];
  readonly view: DevView;
}
