import { CostExceeded } from "./evaluation-error.ts";

/** What one evaluation has cost so far, in steps. It ends what would go on for too long. */
export class CostMeter {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new CostExceeded();
  }

  /** Work on texts counts by tens of characters, as it is much cheaper than a step. */
  spendOnText(length: number): void {
    this.spend(Math.ceil(length / 10));
  }
}
