import { systemTiming } from "../timing.ts";
import type { Timing } from "../timing.ts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";
import { ConnectionError } from "./connection-error.ts";
import { FencedError } from "./fence.ts";
import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "./transport.ts";

/** Slower answers than this mean that more requests at once would only wait longer. */
const slowMs = 2000;

/**
 * Sends no more requests at once than the server answers well. Streams and sockets are not counted:
 * they wait for something to happen, and cost the server little while they do.
 */
export class LimitingTransport implements Transport {
  readonly #inner: Transport;
  readonly #timing: Timing;
  readonly #limit: ConcurrencyLimit;

  constructor(
    inner: Transport,
    timing: Timing = systemTiming,
    limit: ConcurrencyLimit = new ConcurrencyLimit(),
  ) {
    this.#inner = inner;
    this.#timing = timing;
    this.#limit = limit;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    for (;;) {
      // Whoever waits for a fence must not take the place of the request that opens it.
      await request.fence?.();
      const answer = await this.#requestOnce(request);
      if (answer !== "fenced") return answer;
    }
  }

  async #requestOnce(request: TransportRequest): Promise<TransportAnswer | "fenced"> {
    const leave = await this.#limit.enter(request.signal);
    const started = this.#timing.now();
    try {
      const answer = await this.#inner.request(request);
      const slow = this.#timing.now() - started > slowMs;
      leave(answer.status === 429 ? "overloaded" : slow ? "slow" : "fine");
      return answer;
    } catch (error) {
      if (error instanceof FencedError) {
        leave("fine");
        return "fenced";
      }
      const timedOut = error instanceof ConnectionError && error.failure === "timeout";
      leave(timedOut ? "overloaded" : "fine");
      throw error;
    }
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#inner.stream(request);
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    return this.#inner.openSocket(request, protocols);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
