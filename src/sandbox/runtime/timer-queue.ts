import type { Clock } from "../clock.ts";

interface Entry<T> {
  readonly at: number;
  readonly order: number;
  readonly id: string;
  readonly value: T;
}

/**
 * Many timers on one timer of the clock. Each has an identifier; setting it again replaces it. Those
 * that are due at the same time are called in the order in which they were set.
 */
export class TimerQueue<T> {
  readonly #clock: Clock;
  readonly #call: (value: T) => void;
  readonly #current = new Map<string, Entry<T>>();
  #heap: Entry<T>[] = [];
  #order = 0;
  #armed: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, call: (value: T) => void) {
    this.#clock = clock;
    this.#call = call;
  }

  set(id: string, delayMs: number, value: T): void {
    const entry = { at: this.#clock.now() + Math.max(0, delayMs), order: this.#order++, id, value };
    this.#current.set(id, entry);
    this.#push(entry);
    this.#forgetReplaced();
    this.#arm();
  }

  cancel(id: string): void {
    this.#current.delete(id);
  }

  clear(): void {
    this.#current.clear();
    this.#heap = [];
    this.#armed?.cancel();
    this.#armed = undefined;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || (this.#armed !== undefined && this.#armed.at <= first.at)) return;
    this.#armed?.cancel();
    const cancel = this.#clock.after(Math.max(0, first.at - this.#clock.now()), () => {
      this.#armed = undefined;
      this.#fire();
    });
    this.#armed = { at: first.at, cancel };
  }

  #fire(): void {
    const now = this.#clock.now();
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#current.get(first.id) !== first) continue;
      this.#current.delete(first.id);
      this.#call(first.value);
    }
    this.#arm();
  }

  /** Replaced and cancelled entries wait for their time in vain; too many of them are swept out. */
  #forgetReplaced(): void {
    if (this.#heap.length < 64 || this.#heap.length < this.#current.size * 2) return;
    const live = [...this.#current.values()];
    live.sort((left, right) => (isBefore(left, right) ? -1 : 1));
    this.#heap = live;
  }

  #push(entry: Entry<T>): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = index * 2 + 1;
      const right = left + 1;
      const leftEntry = heap[left];
      if (leftEntry === undefined) break;
      const rightEntry = heap[right];
      const isRight = rightEntry !== undefined && isBefore(rightEntry, leftEntry);
      const child = isRight ? rightEntry : leftEntry;
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = isRight ? right : left;
    }
    heap[index] = last;
  }
}

function isBefore(left: Entry<unknown>, right: Entry<unknown>): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
