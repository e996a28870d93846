import type { OwnerView } from "../../src/dashboard/chain-view.ts";
import type {
  ComponentView,
  DashboardChange,
  DashboardView,
  InventoryView,
} from "../../src/dashboard/dashboard-view.ts";
import type { ControlView } from "../../src/dashboard/control-view.ts";

const firstRetryMs = 500;
const longestRetryMs = 5_000;

/** What the server tells, as it tells it. Begins anew with a snapshot whenever the line was cut. */
class Live {
  cluster = $state("");
  connection = $state<"connecting" | "live" | "lost" | "refused">("connecting");
  isComplete = $state(false);
  problems = $state.raw<readonly string[]>([]);
  inventories = $state.raw<readonly InventoryView[]>([]);
  components = $state.raw<ReadonlyMap<string, ComponentView>>(new Map());
  control = $state.raw<ControlView>({
    isReadOnly: true,
    canPlan: false,
    canApply: false,
    destroyable: [],
    actions: [],
  });
  /** Actions that were over when this page was opened: whoever asked for them has seen it. */
  formerActions: ReadonlySet<string> | undefined;
  owners = $state.raw<readonly OwnerView[]>([]);
  now = $state(Date.now());
  #retryMs = firstRetryMs;

  start(): void {
    setInterval(() => {
      this.now = Date.now();
    }, 5_000);
    this.#connect();
  }

  #connect(): void {
    const source = new EventSource("/api/events");
    source.addEventListener("snapshot", (event) => {
      const { components, owners, ...rest } = JSON.parse(String(event.data)) as DashboardView;
      this.#take(rest, new Map(components.map((component) => [component.key, component])));
      this.owners = owners;
      this.connection = "live";
      this.#retryMs = firstRetryMs;
    });
    source.addEventListener("change", (event) => {
      const { changed, removed, owners, ...rest } = JSON.parse(
        String(event.data),
      ) as DashboardChange;
      const components = new Map(this.components);
      for (const key of removed) components.delete(key);
      for (const component of changed) components.set(component.key, component);
      this.#take(rest, components);
      if (owners !== undefined) this.owners = owners;
    });
    source.addEventListener("error", () => {
      // The browser gives up on some failures and not on others; we never do.
      source.close();
      this.connection = "lost";
      setTimeout(() => void this.#again(), this.#retryMs);
      this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
    });
  }

  /** A new link is needed when the server no longer knows this browser; else it is only away. */
  async #again(): Promise<void> {
    const answer = await fetch("/").catch(() => undefined);
    if (answer?.status === 401) this.connection = "refused";
    this.#connect();
  }

  #take(
    rest: Omit<DashboardView, "components" | "owners">,
    components: ReadonlyMap<string, ComponentView>,
  ): void {
    this.cluster = rest.cluster;
    this.inventories = rest.inventories;
    this.problems = rest.problems;
    this.isComplete = rest.isComplete;
    this.components = components;
    this.formerActions ??= new Set(
      rest.control.actions.filter(({ status }) => status !== "running").map(({ id }) => id),
    );
    this.control = rest.control;
    this.now = Date.now();
  }
}

export const live = new Live();
