import { seededNumbers } from "../../../src/sandbox/random.ts";

/** Numbers that look random and are the same for the same seed. */
export class Chance {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededNumbers(seed);
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  isOnceIn(times: number): boolean {
    return this.next() * times < 1;
  }

  some<T>(all: readonly T[]): readonly T[] {
    return all.filter(() => this.next() < 0.5);
  }

  one<T>(all: readonly [T, ...(readonly T[])]): T {
    return all[this.between(0, all.length - 1)] ?? all[0];
  }
}
