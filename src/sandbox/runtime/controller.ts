import type { ApiContext } from "../api/api-context.ts";
import type { Change } from "../store/history.ts";

/** The name of one object that a controller looks after. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Brings one kind of object towards what it should be, whenever something it depends on changes. */
export interface Controller {
  readonly name: string;
  /** The objects that a change concerns. */
  readonly keysOf: (change: Change) => readonly ObjectKey[];
  /** Called for each of them, some time later; may write. Returns a delay to be called again. */
  readonly reconcile: (key: ObjectKey) => number | undefined;
}

const mostRounds = 100_000;

/**
 * Runs controllers one after the other on the sandbox's clock. Several changes of one object before it
 * is looked at are one call, and the order is the same in every run.
 */
export class ControllerRunner {
  readonly #context: ApiContext;
  readonly #controllers: readonly Controller[];
  readonly #queue = new Map<string, { readonly controller: Controller; readonly key: ObjectKey }>();
  readonly #timers = new Map<string, () => void>();
  #cancelRun: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(context: ApiContext, controllers: readonly Controller[]) {
    this.#context = context;
    this.#controllers = controllers;
  }

  /** Looks at everything that is there, then at every change. */
  start(): void {
    const { store } = this.#context;
    this.#unsubscribe = store.subscribe((change) => {
      this.#offer(change);
    });
    for (const resource of store.resources()) {
      for (const stored of store.list(resource)) {
        this.#offer({
          type: "ADDED",
          revision: stored.revision,
          resource,
          stored,
          previous: undefined,
        });
      }
    }
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#cancelRun?.();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#queue.clear();
  }

  #offer(change: Change): void {
    for (const controller of this.#controllers) {
      for (const key of controller.keysOf(change)) this.#enqueue(controller, key);
    }
  }

  #enqueue(controller: Controller, key: ObjectKey): void {
    this.#queue.set(idOf(controller, key), { controller, key });
    this.#cancelRun ??= this.#context.clock.after(0, () => {
      this.#cancelRun = undefined;
      this.#run();
    });
  }

  #run(): void {
    for (let round = 0; round < mostRounds; round++) {
      const next = this.#queue.entries().next();
      if (next.done === true) return;
      const [id, { controller, key }] = next.value;
      this.#queue.delete(id);
      const delayMs = controller.reconcile(key);
      if (delayMs !== undefined) this.#later(id, controller, key, delayMs);
    }
  }

  #later(id: string, controller: Controller, key: ObjectKey, delayMs: number): void {
    this.#timers.get(id)?.();
    const cancel = this.#context.clock.after(delayMs, () => {
      this.#timers.delete(id);
      this.#enqueue(controller, key);
    });
    this.#timers.set(id, cancel);
  }
}

function idOf({ name }: Controller, key: ObjectKey): string {
  return `${name}|${key.namespace}/${key.name}`;
}
