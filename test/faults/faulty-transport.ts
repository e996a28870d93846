import { setTimeout as sleep } from "node:timers/promises";
import {
  ConnectionError,
  type MessageSocket,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
  type TransportStream,
} from "../../src/cluster/index.ts";

/** What can go wrong with one call; `after` means that the server has done it all the same. */
export const faults = [
  "delay",
  "drop before",
  "drop after",
  "429",
  "500 before",
  "500 after",
  "503",
  "409",
  "410",
  "half",
  "timeout",
  "403",
] as const;

export type Fault = (typeof faults)[number];

/** Which fault, if any, hits the call of this number, counted from 0. */
export type Decide = (call: number, request: TransportRequest) => Fault | undefined;

/** Stands between a client and an API server, and spoils calls. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #decide: Decide;
  /** Each call that was made, as `GET /path`. */
  readonly calls: string[] = [];

  constructor(inner: Transport, decide: Decide) {
    this.#inner = inner;
    this.#decide = decide;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const fault = this.#next(request);
    const refusal = await before(fault, request);
    if (refusal !== undefined) return refusal;
    const answer = await this.#inner.request(request);
    if (fault === "500 after") return statusAnswer(500, "InternalError");
    if (fault === "drop after") throw reset();
    if (fault === "half")
      return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)) };
    return answer;
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const fault = this.#next(request);
    const refusal = await before(fault, request);
    if (refusal !== undefined) return { ...refusal, body: bytesOf(refusal.text) };
    const answer = await this.#inner.stream(request);
    if (fault === "half" || fault === "drop after" || fault === "500 after")
      return { ...answer, body: spoiled(answer.body, fault === "half") };
    return answer;
  }

  openSocket(request: TransportRequest, protocols: readonly string[]): Promise<MessageSocket> {
    return this.#inner.openSocket(request, protocols);
  }

  /** The sandbox behind it outlives the clients of the runs. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #next(request: TransportRequest): Fault | undefined {
    const call = this.calls.length;
    this.calls.push(`${request.method} ${request.path}`);
    return this.#decide(call, request);
  }
}

/** What happens before the server sees the call; an answer when it never does. */
async function before(
  fault: Fault | undefined,
  { method }: TransportRequest,
): Promise<TransportAnswer | undefined> {
  switch (fault) {
    case "delay":
      await sleep(5);
      return undefined;
    case "drop before":
      throw reset();
    case "timeout":
      throw new ConnectionError("timeout", { summary: `${method}: no answer` });
    case "429":
      return statusAnswer(429, "TooManyRequests", { "retry-after": "1" });
    case "500 before":
      return statusAnswer(500, "InternalError");
    case "503":
      return statusAnswer(503, "ServiceUnavailable");
    case "403":
      return statusAnswer(403, "Forbidden");
    case "409":
      return statusAnswer(409, "Conflict");
    case "410":
      return statusAnswer(410, "Expired");
    case "drop after":
    case "500 after":
    case "half":
    case undefined:
      return undefined;
  }
}

function reset(): ConnectionError {
  return new ConnectionError("reset", { summary: "the connection was lost" });
}

function statusAnswer(
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): TransportAnswer {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason, code };
  return {
    status: code,
    headers: { "content-type": "application/json", ...headers },
    text: JSON.stringify({ ...status, message: `made up by the test: ${reason}` }),
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Ends after the first piece, or in the middle of it. */
async function* spoiled(
  body: AsyncIterable<Uint8Array>,
  inTheMiddle: boolean,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    yield inTheMiddle ? piece.subarray(0, Math.floor(piece.length / 2)) : piece;
    return;
  }
}
