import type { ApiContext } from "../api/api-context.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { AnswerNeeded, Tape } from "../api/rounds.ts";
import { StatusError } from "../api/status.ts";
import type { Change } from "../store/history.ts";
import { TimerQueue } from "./timer-queue.ts";

/** The name of one object that a controller looks after. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Brings one kind of object towards what it should be, whenever something it depends on changes. */
export interface Controller {
  readonly name: string;
  /** The resources whose changes it wants to see; all unless given. */
  readonly watches?: readonly string[];
  /** The objects that a change concerns. */
  readonly keysOf: (change: Change) => readonly ObjectKey[];
  /** Called for each of them, some time later; may write. Returns a delay to be called again. */
  readonly reconcile: (key: ObjectKey) => number | undefined;
  /** Ends what it has started outside of the sandbox. */
  readonly stop?: () => void;
}

/** After so many calls requests get their turn. */
const roundsPerTurn = 32;
const retryRefusedMs = 5000;

interface Work {
  readonly controller: Controller;
  readonly key: ObjectKey;
}

/**
 * Runs controllers one after the other on the sandbox's clock. Several changes of one object before it
 * is looked at are one call, and the order is the same in every run.
 */
export class ControllerRunner {
  readonly #context: ApiContext;
  readonly #controllers: readonly Controller[];
  readonly #watchers = new Map<string, readonly Controller[]>();
  readonly #queue = new Map<string, Work>();
  readonly #timers: TimerQueue<Work>;
  /** What work has learned that waits for an answer from outside. */
  readonly #waiting = new Map<string, { readonly tape: Tape; isAsking: boolean }>();
  #cancelRun: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(context: ApiContext, controllers: readonly Controller[]) {
    this.#context = context;
    this.#controllers = controllers;
    this.#timers = new TimerQueue(context.clock, ({ controller, key }) => {
      this.#enqueue(controller, key);
    });
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
    this.#unsubscribe = undefined;
    this.#cancelRun?.();
    this.#timers.clear();
    this.#queue.clear();
    for (const controller of this.#controllers) controller.stop?.();
  }

  #offer(change: Change): void {
    for (const controller of this.#watching(change.resource)) {
      for (const key of controller.keysOf(change)) this.#enqueue(controller, key);
    }
  }

  #watching(resource: string): readonly Controller[] {
    let watching = this.#watchers.get(resource);
    if (watching === undefined) {
      watching = this.#controllers.filter(({ watches }) => watches?.includes(resource) ?? true);
      this.#watchers.set(resource, watching);
    }
    return watching;
  }

  #enqueue(controller: Controller, key: ObjectKey): void {
    this.#queue.set(idOf(controller, key), { controller, key });
    this.#wake();
  }

  #wake(): void {
    this.#cancelRun ??= this.#context.clock.after(0, () => {
      this.#cancelRun = undefined;
      this.#run();
    });
  }

  #run(): void {
    let rounds = 0;
    // What is enqueued meanwhile comes last in the same walk.
    for (const [id, work] of this.#queue) {
      if (rounds++ === roundsPerTurn) break;
      this.#queue.delete(id);
      const delayMs = this.#reconcile(id, work);
      // What a controller said last counts; an earlier wish to be called again is forgotten.
      if (delayMs === undefined) this.#timers.cancel(id);
      else this.#timers.set(id, delayMs, work);
    }
    if (this.#queue.size > 0) this.#wake();
  }

  /** Work that needs an answer from outside goes on when it is there; the others do not wait for it. */
  #reconcile(id: string, work: Work): number | undefined {
    const waiting = this.#waiting.get(id) ?? { tape: new Tape(), isAsking: false };
    if (waiting.isAsking) return undefined;
    try {
      const delayMs = this.#context.rounds.play(waiting.tape, () => reconcile(work));
      this.#waiting.delete(id);
      return delayMs;
    } catch (error) {
      if (!(error instanceof AnswerNeeded)) throw error;
      waiting.isAsking = true;
      this.#waiting.set(id, waiting);
      void error.ask().then((answer) => {
        waiting.tape.addAnswer(error.question, answer);
        waiting.isAsking = false;
        if (this.#unsubscribe !== undefined) this.#enqueue(work.controller, work.key);
      });
      return undefined;
    }
  }
}

/** A write that the API refuses, or that cannot be kept, is tried again later: what stands in its way may go. */
function reconcile({ controller, key }: Work): number | undefined {
  try {
    return controller.reconcile(key);
  } catch (error) {
    if (error instanceof StatusError || error instanceof DiagnosticError) return retryRefusedMs;
    throw error;
  }
}

function idOf({ name }: Controller, key: ObjectKey): string {
  return `${name}|${key.namespace}/${key.name}`;
}
