import { promiseHooks } from "node:v8";
import { acceptProvisioned } from "./provisioned/index.ts";

/** Pieces of asynchronous code of which each is after the one before. */
class Strand {
  /** The place of the first piece that allocated something; nobody needs to know of those before. */
  firstAllocation = Number.POSITIVE_INFINITY;
}

/** How far each strand is known to have come. */
type Knowledge = ReadonlyMap<Strand, number>;

/**
 * One uninterrupted piece of asynchronous code, from one await to the next. Pieces that happen one
 * after the other in every run know each other; pieces that run concurrently do not.
 */
export class AllocationMoment {
  readonly strand: Strand;
  readonly index: number;
  readonly #before: Knowledge;
  hasSuccessor = false;

  constructor(strand: Strand, index: number, before: Knowledge) {
    this.strand = strand;
    this.index = index;
    this.#before = before;
  }

  isAfter({ strand, index }: AllocationMoment): boolean {
    return strand === this.strand ? index <= this.index : (this.#before.get(strand) ?? -1) >= index;
  }

  /** What is known to have happened once this is over. */
  knowledge(): Knowledge {
    return this.strand.firstAllocation <= this.index
      ? merge(this.#before, new Map([[this.strand, this.index]]))
      : this.#before;
  }
}

interface PromiseHistory {
  readonly madeIn: AllocationMoment | undefined;
  readonly parent: Promise<unknown> | undefined;
  settledIn?: Knowledge;
}

const nothing: Knowledge = new Map();

/**
 * Follows promises to tell whether two allocations happen in the same order in every run. A piece
 * of code is after the one that awaited, and after the one that settled what was awaited.
 */
export class AllocationOrder {
  readonly #histories = new WeakMap<Promise<unknown>, PromiseHistory>();
  readonly #joined = new WeakMap<Promise<unknown>, readonly unknown[]>();
  readonly #stack: (AllocationMoment | undefined)[] = [];
  #current: AllocationMoment | undefined;

  /** Begins to follow every promise of this thread. */
  start(): void {
    promiseHooks.createHook({
      init: (promise, parent) => {
        this.#histories.set(promise, {
          madeIn: this.#current,
          parent,
        });
      },
      before: (promise) => {
        this.#stack.push(this.#current);
        this.#current = this.#momentOf(promise);
      },
      after: () => {
        this.#current = this.#stack.pop();
      },
      settled: (promise) => {
        const history = this.#histories.get(promise);
        if (history !== undefined) history.settledIn = this.#settlement(promise);
      },
    });
    for (const name of ["all", "allSettled"] as const) this.#watchJoin(name);
  }

  /** The moment that runs now; a callback outside of any promise is a moment of its own. */
  allocate(): AllocationMoment {
    const moment = this.#current ?? new AllocationMoment(new Strand(), 0, nothing);
    moment.strand.firstAllocation = Math.min(moment.strand.firstAllocation, moment.index);
    return moment;
  }

  /** The first piece that goes on where another stopped continues its strand. */
  #momentOf(promise: Promise<unknown>): AllocationMoment {
    const history = this.#histories.get(promise);
    const madeIn = history?.madeIn;
    const awaited = history?.parent === undefined ? undefined : this.#histories.get(history.parent);
    const before = merge(madeIn?.knowledge() ?? nothing, awaited?.settledIn ?? nothing);
    if (madeIn === undefined || madeIn.hasSuccessor)
      return new AllocationMoment(new Strand(), 0, before);
    madeIn.hasSuccessor = true;
    return new AllocationMoment(madeIn.strand, madeIn.index + 1, before);
  }

  /** What had happened when a promise was settled; a join waits for all that it was given. */
  #settlement(promise: Promise<unknown>): Knowledge {
    let known = this.#current?.knowledge() ?? nothing;
    for (const input of this.#joined.get(promise) ?? []) {
      // Not asked whether it is a promise: a provisioned value takes no questions.
      const history = this.#histories.get(input as Promise<unknown>);
      known = merge(known, history?.settledIn ?? nothing);
    }
    return known;
  }

  /** The promise of a join is settled by its last input, so its other inputs are noted here. */
  #watchJoin(name: "all" | "allSettled"): void {
    const joined = this.#joined;
    const watched = new Proxy(Promise[name], {
      apply: (join, self, [inputs]: [unknown]) => {
        if (!Array.isArray(inputs)) return Reflect.apply(join, self, [inputs]) as unknown;
        const result: unknown = Reflect.apply(join, self, [inputs]);
        if (result instanceof Promise) joined.set(result, [...inputs]);
        return result;
      },
    });
    acceptProvisioned(watched);
    Promise[name] = watched;
  }
}

function merge(left: Knowledge, right: Knowledge): Knowledge {
  if (isCovered(right, left)) return left;
  if (isCovered(left, right)) return right;
  const merged = new Map(left);
  for (const [strand, index] of right) {
    merged.set(strand, Math.max(index, merged.get(strand) ?? -1));
  }
  return merged;
}

function isCovered(part: Knowledge, whole: Knowledge): boolean {
  for (const [strand, index] of part) {
    if ((whole.get(strand) ?? -1) < index) return false;
  }
  return true;
}
