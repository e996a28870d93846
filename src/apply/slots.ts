/** Lets so many pieces of work run at once; the others wait for their turn, first come first served. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #next = 0;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Hands the place to the next, without moving all that wait behind it. */
  #pass(): void {
    const next = this.#waiting[this.#next];
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#next++;
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#next = 0;
    }
    next();
  }
}
