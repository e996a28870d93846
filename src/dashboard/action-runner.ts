import { randomUUID } from "node:crypto";
import { type Diagnostic, DiagnosticError, diagnosticToJson, fail } from "../diagnostics/index.ts";
import type { ActionOrder, ActionView } from "./control-view.ts";
import type { DashboardActions, DashboardPlans, ActionOptions } from "./dashboard-actions.ts";
import type { LiveView } from "./live-view.ts";

const mostRemembered = 20;
/** What an action says faster than that nobody can read. */
const reportMs = 200;
/** Nothing that is waited for takes longer than that. */
const longestMs = 30 * 60_000;

interface Work {
  readonly subject: string;
  readonly target: string;
  readonly run: (options: ActionOptions) => Promise<string>;
}

/** Has done what the page asks for, one thing at a time for each target, and tells how it goes. */
export class ActionRunner {
  readonly #live: LiveView;
  readonly #actions: DashboardActions;
  readonly #plans: DashboardPlans | undefined;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #views: readonly ActionView[] = [];

  constructor(live: LiveView, actions: DashboardActions, plans: DashboardPlans | undefined) {
    this.#live = live;
    this.#actions = actions;
    this.#plans = plans;
  }

  /** Begins; throws why it cannot be begun. Returns the id by which the view tells of it. */
  begin(order: ActionOrder): string {
    const { subject, target, run } = this.#workOf(order);
    if (this.#views.some((view) => view.status === "running" && view.target === target))
      fail({
        code: "dashboard.busy",
        summary: `something is being done with ${subject} already`,
        hint: "wait until that has ended",
      });
    const id = randomUUID();
    this.#put({
      id,
      kind: order.kind,
      subject,
      target,
      status: "running",
      message: "",
      diagnostics: [],
      began: new Date().toISOString(),
      ended: "",
    });
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(longestMs)]);
    const report = lastOf((message: string) => {
      // What comes late must not take the place of how it ended.
      const isRunning = this.#views.some((view) => view.id === id && view.status === "running");
      if (isRunning) this.#change(id, { message });
    });
    const work = run({ report, signal })
      .then(
        (message) => {
          this.#end(id, { status: "done", message });
        },
        (error: unknown) => {
          this.#failed(id, error);
        },
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return id;
  }

  /** Gives up what is under way, and waits until that is over. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #workOf(order: ActionOrder): Work {
    switch (order.kind) {
      case "apply": {
        const apply = this.#plans?.apply;
        if (apply === undefined) return notOffered("there is no source that could be applied");
        const run = (options: ActionOptions): Promise<string> => apply(order.plan, options);
        return { subject: "the plan", target: "plan", run };
      }
      case "destroy": {
        const { inventory: target, confirmation } = order;
        const inventory = this.#live.world.inventories.find(({ key }) => key === target);
        if (inventory === undefined || !this.#actions.canDestroy(inventory))
          return notOffered(`the inventory ${target} cannot be deleted here`);
        const { name } = inventory;
        requireConfirmed(name, confirmation);
        const run = (options: ActionOptions): Promise<string> =>
          this.#actions.perform({ kind: "destroy", inventory }, options);
        return { subject: `inventory ${name}`, target, run };
      }
      case "trigger":
      case "restart":
      case "disable":
      case "enable":
      case "delete": {
        const { kind, component: target } = order;
        const component = this.#live.component(target);
        if (component === undefined || !this.#actions.offersFor(component).includes(kind))
          return notOffered(`${target} cannot be asked to ${kind} here`);
        const { name } = component;
        if (order.kind === "delete") requireConfirmed(name, order.confirmation);
        const run = (options: ActionOptions): Promise<string> =>
          this.#actions.perform({ kind, component }, options);
        return { subject: name, target, run };
      }
    }
  }

  #failed(id: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const diagnostics: readonly Diagnostic[] =
      error instanceof DiagnosticError
        ? error.diagnostics
        : [
            {
              code: "cli.internal",
              severity: "error",
              summary: `Keelson failed unexpectedly: ${message}`,
            },
          ];
    this.#end(id, { status: "failed", diagnostics: diagnostics.map(diagnosticToJson) });
  }

  #end(id: string, change: Partial<ActionView>): void {
    this.#change(id, { ...change, ended: new Date().toISOString() });
  }

  #put(view: ActionView): void {
    this.#show([view, ...this.#views].slice(0, mostRemembered));
  }

  #change(id: string, change: Partial<ActionView>): void {
    this.#show(this.#views.map((view) => (view.id === id ? { ...view, ...change } : view)));
  }

  #show(views: readonly ActionView[]): void {
    this.#views = views;
    this.#live.showActions(views);
  }
}

function notOffered(summary: string): never {
  fail({ code: "dashboard.not-offered", summary, hint: "look at what the page offers now" });
}

function requireConfirmed(name: string, confirmation: string): void {
  if (confirmation === name) return;
  fail({
    code: "dashboard.unconfirmed",
    summary: `${name} was not deleted: its name was not typed`,
    hint: `type ${name}`,
  });
}

/** Tells the last of what is said in a while. */
function lastOf(tell: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    const isWaiting = last !== undefined;
    last = message;
    if (isWaiting) return;
    setTimeout(() => {
      const said = last ?? "";
      last = undefined;
      tell(said);
    }, reportMs).unref();
  };
}
