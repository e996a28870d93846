import type { Slots } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import type { DevComponent } from "./dev-component.ts";
import type { DesiredComponents, LoadedSource } from "./dev-source.ts";
import type { DevReporter } from "./dev-reporter.ts";
import type { DevState } from "./dev-state.ts";

/** What the parts of a dev loop share. */
export interface DevContext {
  readonly cluster: Cluster;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly holder: string;
  readonly state: DevState;
  readonly reporter: DevReporter;
  /** In the order in which the source has them. */
  readonly components: Map<string, DevComponent>;
  /** Aborted when the loop ends. */
  readonly signal: AbortSignal;
  /** What was read well at last. */
  readonly current: () => CurrentSource | undefined;
  /** Limits how many builds and commands run at once. */
  readonly slots: () => Slots;
  /** Something has changed that others may wait for. */
  readonly pump: () => void;
}

export interface CurrentSource {
  readonly loaded: LoadedSource;
  readonly desired: DesiredComponents;
}
