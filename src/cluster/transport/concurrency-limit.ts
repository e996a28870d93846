/** What a finished request says about the load of the server. */
export type LoadSign = "fine" | "slow" | "overloaded";

export interface ConcurrencyBounds {
  readonly least: number;
  readonly most: number;
  readonly start: number;
}

const defaultBounds: ConcurrencyBounds = { least: 2, most: 256, start: 64 };

/**
 * How many requests may be under way at once: one more after each round of good answers, fewer by a
 * part when answers come slowly, half as many when the server says that it is overloaded.
 */
export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  /** Requests that began before the last reduction say nothing about the new limit. */
  #epoch = 0;

  constructor(bounds: ConcurrencyBounds = defaultBounds) {
    this.#bounds = bounds;
    this.#limit = bounds.start;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Waits for a place; the returned function gives it back and says how it went. */
  async enter(signal?: AbortSignal): Promise<(sign: LoadSign) => void> {
    signal?.throwIfAborted();
    if (this.#running >= this.limit) await this.#wait(signal);
    else this.#running++;
    const epoch = this.#epoch;
    return (sign) => {
      this.#running--;
      this.#learn(sign, epoch);
      while (this.#running < this.limit && this.#waiting.length > 0) {
        this.#running++;
        this.#waiting.shift()?.();
      }
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        const place = this.#waiting.indexOf(start);
        if (place !== -1) this.#waiting.splice(place, 1);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
        reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(start);
    });
  }

  #learn(sign: LoadSign, epoch: number): void {
    const { least, most } = this.#bounds;
    if (sign === "fine") {
      this.#limit = Math.min(most, this.#limit + 1 / this.#limit);
    } else if (epoch === this.#epoch) {
      this.#epoch++;
      this.#limit = Math.max(least, this.#limit * (sign === "overloaded" ? 0.5 : 0.8));
    }
  }
}
