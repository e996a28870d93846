import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Credentials,
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
import type { ApiRequest, CompleteResponse, StreamResponse, User } from "./api/request.ts";
import { badRequest, unauthorized } from "./api/status.ts";
import { socketPair } from "./connections/message-queue.ts";
import { chooseChannelProtocol, serveChannels } from "./connections/serve-channels.ts";
import type { Sandbox } from "./create-sandbox.ts";

/**
 * Reaches a sandbox of this process without a connection: as its administrator, and then closing it
 * closes the sandbox, or as whoever the credentials make of it.
 */
export class InProcessTransport implements Transport {
  readonly #sandbox: Sandbox;
  readonly #credentials: Credentials | undefined;
  readonly #streams = new Set<() => void>();

  constructor(sandbox: Sandbox, credentials?: Credentials) {
    this.#sandbox = sandbox;
    this.#credentials = credentials;
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    // Others get their turn between two requests, as they would over a network.
    await nextTurn();
    await request.fence?.();
    request.signal?.throwIfAborted();
    return wholeAnswer(await this.#handle(request));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    await nextTurn();
    request.signal?.throwIfAborted();
    const response = await this.#handle(request);
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
    const user = await this.#user();
    const response =
      user === undefined
        ? statusResponse(unauthorized())
        : await this.#sandbox.answer(requestOf(request, user));
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
    if (this.#credentials === undefined) this.#sandbox.close();
    return Promise.resolve();
  }

  async #handle(request: TransportRequest): Promise<CompleteResponse | StreamResponse> {
    const user = await this.#user();
    if (user === undefined) return statusResponse(unauthorized());
    const response = await this.#sandbox.answer(requestOf(request, user));
    if (response.kind !== "connection") return response;
    return statusResponse(badRequest("Upgrade request required"));
  }

  /** Undefined when the credentials are no longer good, and there are no newer ones. */
  async #user(): Promise<User | undefined> {
    const credentials = this.#credentials;
    if (credentials === undefined) return administrator;
    const authenticate = async (): Promise<User | undefined> => {
      const header = await credentials.authorization();
      return this.#sandbox.authenticate(header?.replace(/^Bearer /, "") ?? "");
    };
    const user = await authenticate();
    return user === undefined && (await credentials.renew()) ? authenticate() : user;
  }
}

function requestOf(
  { method, path, query, headers = {}, body = "" }: TransportRequest,
  user: User,
): ApiRequest {
  return {
    method,
    path,
    query: queryParameters(query),
    accept: headers["accept"] ?? "",
    contentType: headers["content-type"] ?? "",
    userAgent: headers["user-agent"] ?? "keelson",
    body,
    user,
    impersonation: readImpersonation(headers),
  };
}

async function wholeAnswer(response: CompleteResponse | StreamResponse): Promise<TransportAnswer> {
  if (response.kind === "complete") {
    return { status: response.status, headers: headersOf(response), text: response.body };
  }
  let text = "";
  const write = (piece: string | Uint8Array): void => {
    text += typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
  };
  await new Promise<void>((resolve) => {
    response.start({ write, end: resolve, backlog: () => 0 });
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

  write = (piece: string | Uint8Array): void => {
    if (this.#isEnded) return;
    const bytes = typeof piece === "string" ? this.#encoder.encode(piece) : piece;
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
