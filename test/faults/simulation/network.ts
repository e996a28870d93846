import {
  type MessageSocket,
  queryParameters,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
  type TransportStream,
} from "../../../src/cluster/index.ts";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import type { Timeline } from "./timeline.ts";

export interface NetworkOptions {
  readonly inner: Transport;
  readonly time: Timeline;
  readonly machine: Machine;
  readonly chance: Chance;
  /** Of how many reads one is answered with something that is not true. */
  readonly liesOnceIn: number;
  /** Told of each write when it arrives. */
  readonly onWrite?: (request: TransportRequest) => void;
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

/** Of how many pieces of a stream one is its last. */
const endsOnceIn = 100;

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
    if (request.method !== "GET" && queryParameters(request.query).get("dryRun") === null)
      this.#options.onWrite?.(request);
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
    const { body, ...stream } = await this.#options.inner.stream(request);
    return { ...stream, body: this.#pieces(body) };
  }

  /** Who is stopped reads nothing, and a stream may end at any piece. */
  async *#pieces(body: TransportStream["body"]): TransportStream["body"] {
    for await (const piece of body) {
      await this.#options.machine.awake();
      if (this.#options.chance.isOnceIn(endsOnceIn)) return;
      yield piece;
    }
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
