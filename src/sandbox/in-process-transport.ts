import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type MessageSocket,
  SocketRefused,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
  type TransportStream,
  queryParameters,
} from "../cluster/index.ts";
import { readImpersonation } from "./api/authorization/read-impersonation.ts";
import { administrator } from "./api/identities.ts";
import { statusResponse } from "./api/status-response.ts";
import type { ApiRequest, CompleteResponse, StreamResponse } from "./api/request.ts";
import { badRequest } from "./api/status.ts";
import { socketPair } from "./connections/message-queue.ts";
import { chooseChannelProtocol, serveChannels } from "./connections/serve-channels.ts";
import type { Sandbox } from "./create-sandbox.ts";

/** Reaches a sandbox of this process without a connection. Closing it closes the sandbox. */
export class InProcessTransport implements Transport {
  readonly #sandbox: Sandbox;
  readonly #streams = new Set<() => void>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    // Others get their turn between two requests, as they would over a network.
    await nextTurn();
    request.signal?.throwIfAborted();
    return wholeAnswer(this.#handle(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    await nextTurn();
    request.signal?.throwIfAborted();
    const response = this.#handle(request);
    const pieces = new Pieces();
    if (response.kind === "complete") {
      pieces.write(response.body);
      pieces.end();
    } else {
      const stop = response.start(pieces);
      pieces.onClose(stop);
      const end = (): void => {
        pieces.end();
      };
      this.#streams.add(end);
      pieces.onClose(() => this.#streams.delete(end));
      request.signal?.addEventListener("abort", end, { once: true });
    }
    return { status: response.status, headers: headersOf(response), body: pieces.read() };
  }

  async openSocket(
    request: TransportRequest,
    protocols: readonly string[],
  ): Promise<MessageSocket> {
    await nextTurn();
    const response = this.#sandbox.handle(requestOf(request));
    if (response.kind !== "connection") throw new SocketRefused(await wholeAnswer(response));
    const protocol = chooseChannelProtocol(response.connection, protocols);
    if (protocol === undefined) {
      const refusal = badRequest(`the sandbox speaks none of ${protocols.join(", ")}`);
      throw new SocketRefused(await wholeAnswer(statusResponse(refusal)));
    }
    const [mine, theirs] = socketPair(protocol);
    const close = (): void => {
      theirs.close();
    };
    this.#streams.add(close);
    request.signal?.addEventListener("abort", close, { once: true });
    serveChannels(response.connection, theirs)
      .catch(close)
      .finally(() => this.#streams.delete(close));
    return mine;
  }

  close(): Promise<void> {
    for (const end of this.#streams) end();
    this.#sandbox.close();
    return Promise.resolve();
  }

  #handle(request: TransportRequest): CompleteResponse | StreamResponse {
    const response = this.#sandbox.handle(requestOf(request));
    if (response.kind !== "connection") return response;
    return statusResponse(badRequest("Upgrade request required"));
  }
}

function requestOf({ method, path, query, headers = {}, body = "" }: TransportRequest): ApiRequest {
  return {
    method,
    path,
    query: queryParameters(query),
    accept: headers["accept"] ?? "",
    contentType: headers["content-type"] ?? "",
    userAgent: headers["user-agent"] ?? "keelson",
    body,
    user: administrator,
    impersonation: readImpersonation(headers),
  };
}

async function wholeAnswer(response: CompleteResponse | StreamResponse): Promise<TransportAnswer> {
  if (response.kind === "complete") {
    return { status: response.status, headers: headersOf(response), text: response.body };
  }
  let text = "";
  await new Promise<void>((resolve) => {
    response.start({ write: (piece) => (text += piece), end: resolve, backlog: () => 0 });
  });
  return { status: response.status, headers: headersOf(response), text };
}

function headersOf(response: CompleteResponse | StreamResponse): Readonly<Record<string, string>> {
  const warnings = response.kind === "complete" ? (response.warnings ?? []) : [];
  return {
    "content-type": response.contentType,
    ...(response.kind === "complete" ? response.headers : {}),
    ...(warnings.length === 0
      ? {}
      : { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ") }),
  };
}

/** Text that arrives in pieces, for one reader. */
class Pieces {
  readonly #encoder = new TextEncoder();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isEnded = false;
  #wake: (() => void) | undefined;
  #closers: (() => void)[] = [];

  write = (text: string): void => {
    if (this.#isEnded) return;
    const bytes = this.#encoder.encode(text);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#wake?.();
  };

  end = (): void => {
    this.#isEnded = true;
    this.#wake?.();
    this.#close();
  };

  backlog = (): number => this.#waitingBytes;

  onClose(callback: () => void): void {
    this.#closers.push(callback);
  }

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          this.#waitingBytes -= next.length;
          yield next;
        } else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#isEnded = true;
      this.#close();
    }
  }

  #close(): void {
    const closers = this.#closers;
    this.#closers = [];
    for (const close of closers) close();
  }
}
