/** Several writers with clocks, pauses and a network of their own, in a time that only events move. */
import { setTimeout as sleep } from "node:timers/promises";
import type {
  MessageSocket,
  Timing,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "../../src/cluster/index.ts";
import type { LeaseClock, Moment } from "../../src/inventory/index.ts";
import { seededNumbers } from "../../src/sandbox/random.ts";
import { settled } from "./manual-clock.ts";

const idleMs = 10;
const mostIdleTurns = 3_000;

interface Event {
  readonly at: number;
  readonly number: number;
  readonly happen: () => void;
}

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
}

/** The time of a simulation: it moves to the next event when nothing else can happen. */
export class Timeline {
  nowMs = 0;
  #number = 0;
  readonly #events = new Set<Event>();
  readonly #outside = new Set<Promise<unknown>>();

  at(delayMs: number, happen: () => void): () => void {
    const event = { at: this.nowMs + Math.max(0, delayMs), number: this.#number++, happen };
    this.#events.add(event);
    return () => {
      this.#events.delete(event);
    };
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(delayMs, resolve);
    });
  }

  /** Something that takes no time here, however long it takes: files that are read. */
  async outside<Result>(work: Promise<Result>): Promise<Result> {
    this.#outside.add(work);
    try {
      return await work;
    } finally {
      this.#outside.delete(work);
    }
  }

  /** Lets everything happen until something has ended. */
  async until(ended: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    ended.then(end, end);
    let idleTurns = 0;
    for (;;) {
      await settled();
      while (this.#outside.size > 0) {
        await Promise.allSettled(this.#outside);
        await settled();
      }
      if (isOver) return;
      const [first] = [...this.#events].sort(
        (left, right) => left.at - right.at || left.number - right.number,
      );
      if (first === undefined) {
        // A few pauses are those of this machine: a definition that is not served yet is asked for again.
        if (++idleTurns > mostIdleTurns) throw new Error("nothing can happen any more");
        await sleep(idleMs);
        continue;
      }
      idleTurns = 0;
      this.#events.delete(first);
      this.nowMs = Math.max(this.nowMs, first.at);
      first.happen();
    }
  }
}

/** A machine that writes: its clock may be wrong, its process may be stopped, or all of it may sleep. */
export class Machine {
  readonly #time: Timeline;
  readonly #skewMs: number;
  #slept = 0;
  #resumed: Promise<void> | undefined;

  constructor(time: Timeline, skewMs: number) {
    this.#time = time;
    this.#skewMs = skewMs;
  }

  get isStopped(): boolean {
    return this.#resumed !== undefined;
  }

  /** Resolves when the process runs. */
  async awake(): Promise<void> {
    while (this.#resumed !== undefined) await this.#resumed;
  }

  /** Stops the process for a time; a machine that sleeps stops its steady clock as well. */
  stop(forMs: number, sleeps: boolean): void {
    if (this.#resumed !== undefined) return;
    const stopped = this.#time.wait(forMs).then(() => {
      // Whoever was killed meanwhile stays so.
      if (this.#resumed !== stopped) return;
      this.#resumed = undefined;
      if (sleeps) this.#slept += forMs;
    });
    this.#resumed = stopped;
  }

  /** Ends the process for good: nothing of it happens any more. */
  kill(): void {
    this.#resumed = new Promise(() => undefined);
  }

  /** Retries and watches take the time of the machine. */
  readonly timing: Timing = {
    now: () => this.clock.now().wallMs,
    random: () => 0.5,
    sleep: async (delayMs, signal) => {
      await this.clock.sleep(delayMs, signal);
      signal?.throwIfAborted();
    },
  };

  readonly clock: LeaseClock = {
    now: (): Moment => ({
      steadyMs: this.#time.nowMs - this.#slept,
      wallMs: Date.UTC(2026, 0, 1) + this.#time.nowMs + this.#skewMs,
    }),
    sleep: async (delayMs, signal) => {
      const ended = Promise.withResolvers<void>();
      const cancel = this.#time.at(delayMs, ended.resolve);
      const stop = (): void => {
        cancel();
        ended.resolve();
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      await ended.promise;
      await this.awake();
    },
    every: (everyMs, call) => {
      const stop = new AbortController();
      const next = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          await this.#time.wait(everyMs);
          await this.awake();
          if (!stop.signal.aborted) call();
        }
      };
      void next();
      return () => {
        stop.abort();
      };
    },
  };
}

export interface NetworkOptions {
  readonly inner: Transport;
  readonly time: Timeline;
  readonly machine: Machine;
  readonly chance: Chance;
  /** Of how many reads one is answered with something that is not true. */
  readonly liesOnceIn: number;
}

const page = "<html><body>not here</body></html>";

/** What proxies and servers that are half up answer. */
const lies: readonly Partial<TransportAnswer>[] = [
  { status: 200, text: "{}" },
  { status: 200, text: "null" },
  { status: 200, text: "[]" },
  { status: 200, text: '{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"}}' },
  { status: 200, text: page, headers: { "content-type": "text/html" } },
  { status: 404, text: page, headers: { "content-type": "text/html" } },
];

/** Longer than this nothing is under way: a server ends a connection that does not answer. */
const mostUnderWayMs = 8_000;

/** The way of a machine to a server: requests and answers take their time, and may get lost. */
export class Network implements Transport {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  async request({ fence, ...request }: TransportRequest): Promise<TransportAnswer> {
    const { inner, time, machine, chance } = this.#options;
    for (;;) {
      await machine.awake();
      const held = fence?.();
      if (held === undefined) break;
      await held;
      if (!machine.isStopped) break;
    }
    await time.wait(this.#delayMs());
    const fate = request.method === "GET" ? 1 : chance.next();
    if (fate < 0.01) return this.#lost(false);
    const answer = await inner.request(request);
    if (fate < 0.02) return this.#lost(true);
    await time.wait(this.#delayMs());
    await machine.awake();
    return request.method === "GET" && chance.isOnceIn(this.#options.liesOnceIn)
      ? { ...answer, ...lies[chance.between(0, lies.length - 1)] }
      : answer;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    await this.#options.machine.awake();
    return this.#options.inner.stream(request);
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    return this.#options.inner.openSocket(request, protocols);
  }

  close(): Promise<void> {
    return this.#options.inner.close();
  }

  #delayMs(): number {
    const { chance } = this.#options;
    return chance.isOnceIn(20) ? chance.between(0, mostUnderWayMs / 2) : chance.between(0, 200);
  }

  async #lost(isDone: boolean): Promise<TransportAnswer> {
    await this.#options.machine.awake();
    const message = isDone ? "the answer was lost" : "the request was lost";
    return {
      status: 504,
      headers: { "content-type": "application/json" },
      text: JSON.stringify({
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "Timeout",
        code: 504,
        message,
      }),
    };
  }
}
