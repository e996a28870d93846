import { LimitError } from "./evaluation-error.ts";

/** How much a program may use before it is stopped. */
export interface Limits {
  /** Statements, calls and elements passed by builtins. */
  readonly steps: number;
  /** An estimate of the bytes that its values take at one time. */
  readonly memoryBytes: number;
  /** Calls inside calls. */
  readonly callDepth: number;
}

export const defaultLimits: Limits = {
  steps: 50_000_000,
  memoryBytes: 512 * 1024 * 1024,
  callDepth: 1000,
};

/** Between two measurements of what is alive, a program may allocate this part of its limit. */
const measuredShare = 1 / 4;

/**
 * Counts what a program uses. Steps are counted down to zero. Allocations are only added up; when
 * they come to a share of the limit, what is still alive is measured before the next statement.
 */
export class Meter {
  /** Steps left; below zero {@link refuel} decides. Statements count it down in line. */
  fuel: number;
  readonly limits: Limits;
  #allocated = 0;
  #measureAt: number;
  #keptFuel: number | undefined;
  readonly #measureLive: () => number;

  constructor(limits: Limits, measureLive: () => number) {
    this.limits = limits;
    this.fuel = limits.steps;
    this.#measureAt = limits.memoryBytes * measuredShare;
    this.#measureLive = measureLive;
  }

  step(count: number): void {
    this.fuel -= count;
    if (this.fuel < 0) this.refuel();
  }

  /** Takes note of a new value; one that is alone too large is refused before it is made. */
  allocate(bytes: number): void {
    this.#allocated += bytes;
    if (this.#allocated <= this.#measureAt) return;
    if (this.#allocated > this.limits.memoryBytes + this.#measureAt) this.#failMemory();
    if (bytes > this.limits.memoryBytes) this.#failMemory();
    if (this.#keptFuel !== undefined) return;
    this.#keptFuel = this.fuel;
    this.fuel = 0;
  }

  refuel(): void {
    if (this.#keptFuel === undefined) {
      throw new LimitError(
        `Starlark computation cancelled: too many steps (limit ${this.limits.steps})`,
      );
    }
    this.fuel += this.#keptFuel;
    this.#keptFuel = undefined;
    const live = this.#measureLive();
    if (live > this.limits.memoryBytes) this.#failMemory();
    this.#allocated = live;
    this.#measureAt = live + this.limits.memoryBytes * measuredShare;
    if (this.fuel < 0) this.refuel();
  }

  #failMemory(): never {
    const limit = Math.round(this.limits.memoryBytes / (1024 * 1024));
    throw new LimitError(`Starlark computation cancelled: too much memory (limit ${limit} MiB)`);
  }
}
