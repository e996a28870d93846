import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "../../src/cluster/index.ts";

/** What is answered instead; undefined leaves the answer as it is. */
export type Lie = (
  request: TransportRequest,
  answer: TransportAnswer,
) => Partial<TransportAnswer> | undefined;

/** What a watch says instead; undefined leaves it as it is. */
export type StreamLie = (request: TransportRequest) => Partial<TransportStream> | undefined;

const nothing: TransportAnswer = { status: 200, headers: {}, text: "{}" };

/** Stands between a client and an API server, and passes on answers that are not true. */
export class LyingTransport implements Transport {
  readonly #inner: Transport;
  readonly #lie: Lie;
  readonly #streamLie: StreamLie;
  /** Each call that was made, as `GET /path`. */
  readonly calls: string[] = [];

  constructor(inner: Transport, lie: Lie, streamLie: StreamLie = () => undefined) {
    this.#inner = inner;
    this.#lie = lie;
    this.#streamLie = streamLie;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    this.calls.push(`${request.method} ${request.path}`);
    const refusal = request.method === "GET" ? undefined : this.#lie(request, nothing);
    // A write that is refused has not reached the server.
    if (refusal?.status !== undefined && refusal.status >= 400) return { ...nothing, ...refusal };
    const answer = await this.#inner.request(request);
    return { ...answer, ...this.#lie(request, answer) };
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const lie = this.#streamLie(request);
    if (lie?.body !== undefined) return { status: 200, headers: {}, ...lie, body: lie.body };
    return { ...(await this.#inner.stream(request)), ...lie };
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    return this.#inner.openSocket(request, protocols);
  }

  /** The sandbox behind it outlives the clients of the runs. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Discovery in which a group is missing, as an aggregator says it that has not started yet. */
export function hideGroup(group: string): Lie {
  return ({ path }, { text }) => {
    if (path !== "/apis") return undefined;
    const list = JSON.parse(text) as { items: { metadata: { name: string } }[] };
    const items = list.items.filter(({ metadata }) => metadata.name !== group);
    return {
      headers: { "content-type": "application/json" },
      text: JSON.stringify({ ...list, items }),
    };
  };
}
