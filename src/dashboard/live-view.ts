import { Evidence } from "../apply/index.ts";
import type { Cluster } from "../cluster/index.ts";
import { ClusterWatch } from "./cluster-watch.ts";
import { controlOf } from "./control-of.ts";
import type { ActionView } from "./control-view.ts";
import type { DashboardActions, DashboardPlans } from "./dashboard-actions.ts";
import type { DashboardSource } from "./dashboard-source.ts";
import type { DashboardChange, DashboardView } from "./dashboard-view.ts";
import { changeOf, type ViewContext, viewOf } from "./view-of.ts";
import { type DashboardWorld, type WorldComponent, worldOf } from "./world.ts";

/** Changes that come together are told together. */
const settleMs = 50;
/** Some states are failures only after a while, without any change in the cluster. */
const reconsiderMs = 5_000;

export interface ViewListener {
  readonly onChange: (change: DashboardChange) => void;
}

export interface LiveViewOptions {
  readonly cluster: Cluster;
  /** Which cluster it is, for the page. */
  readonly description: string;
  readonly source?: DashboardSource | undefined;
  /** Who does what the page asks for; without them it is read-only. */
  readonly actions?: DashboardActions | undefined;
  readonly plans?: DashboardPlans | undefined;
}

/** The view as it is now, kept by watches, and who wants to hear of its changes. */
export class LiveView {
  readonly #watch: ClusterWatch;
  readonly #evidence: Evidence;
  readonly #options: LiveViewOptions;
  readonly #context: ViewContext;
  readonly #stopSource: (() => void) | undefined;
  readonly #listeners = new Set<ViewListener>();
  #world: DashboardWorld;
  #view: DashboardView;
  #timer: NodeJS.Timeout | undefined;
  #reconsidering: NodeJS.Timeout | undefined;
  #done: readonly ActionView[] = [];
  #isClosed = false;

  constructor(options: LiveViewOptions) {
    const { cluster, description, source, actions } = options;
    this.#options = options;
    this.#context = {
      description,
      control: (world) => controlOf(world, options, this.#done),
      offersFor: (component) => actions?.offersFor(component) ?? [],
    };
    this.#stopSource = source?.subscribe(() => {
      this.#schedule();
    });
    this.#world = {
      inventories: [],
      components: [],
      chains: { owners: [], platform: [], definitions: [] },
      histories: new Map(),
      events: new Map(),
      problems: [],
      isComplete: false,
    };
    this.#view = viewOf(this.#world, this.#context);
    this.#evidence = new Evidence(cluster, {
      onNews: () => {
        this.#schedule();
      },
    });
    this.#watch = new ClusterWatch(cluster, () => {
      this.#schedule();
    });
  }

  get world(): DashboardWorld {
    return this.#world;
  }

  get view(): DashboardView {
    return this.#view;
  }

  component(key: string): WorldComponent | undefined {
    return this.#world.components.find((component) => component.key === key);
  }

  /** Shows what is being done, and what became of it. */
  showActions(actions: readonly ActionView[]): void {
    this.#done = actions;
    this.#schedule();
  }

  subscribe(listener: ViewListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#reconsidering);
    this.#stopSource?.();
    this.#listeners.clear();
    this.#watch.close();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#renew();
    }, settleMs);
  }

  #reconsider(): void {
    clearTimeout(this.#reconsidering);
    if (this.#isClosed || this.#view.components.every(({ status }) => status === "Current")) return;
    this.#reconsidering = setTimeout(() => {
      this.#schedule();
    }, reconsiderMs);
  }

  #renew(): void {
    const { source } = this.#options;
    this.#watch.watchOthers(source?.components().flatMap(({ deployed }) => deployed) ?? []);
    this.#world = worldOf(this.#watch, { now: Date.now(), logOf: this.#evidence.logOf }, source);
    const before = this.#view;
    this.#view = viewOf(this.#world, this.#context);
    const change = changeOf(before, this.#view);
    if (change !== undefined) for (const { onChange } of this.#listeners) onChange(change);
    this.#reconsider();
  }
}
