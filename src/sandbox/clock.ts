/** Time as the sandbox sees it; tests drive their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back after a while. Returns how to cancel. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now: number;
  #timers: Timer[] = [];
  #order = 0;

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now = (): number => this.#now;

  after = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + delayMs, order: this.#order++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  };

  /** Moves on, and calls what has become due, in order, each at its own time. */
  advance(byMs: number): void {
    const end = this.#now + byMs;
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    const due = this.#timers.filter((timer) => timer.at <= end);
    due.sort((left, right) => left.at - right.at || left.order - right.order);
    return due[0];
  }
}

let lastSecond = Number.NaN;
let lastText = "";

/** The form in which Kubernetes writes times: whole seconds, UTC. Mostly it is asked for one second. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
