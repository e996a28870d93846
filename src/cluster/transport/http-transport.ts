import { isIP } from "node:net";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { closedError, exchangeError, timeoutError } from "./connection-error.ts";
import type { ConnectionSettings } from "./connection-settings.ts";
import { requireOpenFence } from "./fence.ts";
import type { Exchange, OutgoingHeaders } from "./exchange.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";
import type { Lanes } from "./lanes.ts";
import { requestTarget } from "./transport.ts";
import type {
  MessageSocket,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "./transport.ts";

const defaultTimeoutMs = 60_000;

const gunzipAsync = promisify(gunzip);

/** The API of a server over the network: HTTP/2 where the server has it, else HTTP/1.1. */
export class HttpTransport implements Transport {
  readonly #settings: ConnectionSettings;
  readonly #server: string;
  readonly #basePath: string;
  readonly #fixedHeaders: OutgoingHeaders;
  #lanes: Promise<Lanes> | undefined;
  #closed = false;

  constructor(settings: ConnectionSettings) {
    const url = new URL(settings.server);
    this.#settings = settings;
    this.#server = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, "");
    this.#fixedHeaders = {
      "user-agent": "keelson",
      ...(isLoopback(url.hostname) ? {} : { "accept-encoding": "gzip" }),
      ...impersonationHeaders(settings.impersonate),
    };
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const limits = new Limits(this.#server, request);
    try {
      const exchange = await this.#start("requests", request, limits);
      const text = await readText(this.#server, exchange);
      return { status: exchange.status, headers: exchange.headers, text };
    } catch (error) {
      throw limits.reason() ?? error;
    } finally {
      limits.end();
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const limits = new Limits(this.#server, request);
    try {
      const exchange = await this.#start("streams", request, limits);
      limits.endTimeout();
      const { status, headers } = exchange;
      return { status, headers, body: readChunks(this.#server, exchange, limits) };
    } catch (error) {
      limits.end();
      throw limits.reason() ?? error;
    }
  }

  async openSocket(
    request: TransportRequest,
    protocols: readonly string[],
  ): Promise<MessageSocket> {
    const { openWebSocket } = await import("./open-web-socket.ts");
    const { openConnection } = await import("./open-connection.ts");
    return openWebSocket(
      {
        server: this.#server,
        target: this.#basePath + requestTarget(request),
        // Kubelets refuse a socket to those who would rather have JSON.
        headers: { ...(await this.#headers(request)), accept: "*/*" },
        protocols,
        signal: request.signal,
        timeoutMs: request.timeoutMs ?? defaultTimeoutMs,
      },
      () => openConnection(this.#settings, ["http/1.1"]),
    );
  }

  /** New connections from here on, because the client certificate has changed. */
  async renewConnections(): Promise<void> {
    (await this.#lanes)?.renew();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const lanes = await this.#lanes?.catch(() => undefined);
    lanes?.close();
  }

  async #start(
    lane: "requests" | "streams",
    request: TransportRequest,
    limits: Limits,
  ): Promise<Exchange> {
    const headers = await this.#headers(request);
    const lanes = await this.#connect();
    requireOpenFence(request);
    limits.check();
    return lanes.send(lane, {
      method: request.method,
      target: this.#basePath + requestTarget(request),
      headers,
      body: request.body,
      started: (cancel) => {
        limits.onReached(cancel);
      },
    });
  }

  async #headers(request: TransportRequest): Promise<OutgoingHeaders> {
    const authorization = await this.#settings.credentials.authorization();
    return {
      accept: "application/json",
      ...this.#fixedHeaders,
      ...request.headers,
      ...(authorization === undefined ? {} : { authorization }),
    };
  }

  #connect(): Promise<Lanes> {
    if (this.#closed) throw closedError(this.#server);
    if (this.#lanes === undefined) {
      const lanes = this.#negotiate();
      this.#lanes = lanes;
      lanes.catch(() => {
        // The next request tries again: the server may have come up since.
        if (this.#lanes === lanes) this.#lanes = undefined;
      });
    }
    return this.#lanes;
  }

  /** Loaded with the first request: what speaks HTTP takes long to load, and a sandbox needs none of it. */
  async #negotiate(): Promise<Lanes> {
    const { openLanes } = await import("./lanes.ts");
    return openLanes(this.#server, this.#settings);
  }
}

/** The two things that end a request early: its time limit and the signal of the caller. */
class Limits {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #timeout: Error | undefined;
  #cancel: (() => void) | undefined;
  readonly #onAbort = (): void => {
    this.#cancel?.();
  };

  constructor(server: string, { signal, method, path, timeoutMs }: TransportRequest) {
    const limitMs = timeoutMs ?? defaultTimeoutMs;
    this.#signal = signal;
    this.#timer = setTimeout(() => {
      this.#timeout = timeoutError(server, `${method} ${path}`, limitMs);
      this.#cancel?.();
    }, limitMs);
    signal?.addEventListener("abort", this.#onAbort);
  }

  check(): void {
    this.#signal?.throwIfAborted();
    if (this.#timeout !== undefined) throw this.#timeout;
  }

  onReached(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.reason() !== undefined) cancel();
  }

  /** Why the request was ended, if it was: what the caller should hear instead of a lost stream. */
  reason(): unknown {
    return this.#signal?.aborted === true ? this.#signal.reason : this.#timeout;
  }

  endTimeout(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.endTimeout();
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

async function readText(server: string, exchange: Exchange): Promise<string> {
  const bytes = await readBytes(server, exchange);
  if (exchange.headers["content-encoding"] !== "gzip") return bytes.toString("utf8");
  try {
    return (await gunzipAsync(bytes)).toString("utf8");
  } catch (error) {
    throw exchangeError(server, error, true);
  }
}

/** Collects by events: for the many small answers this costs a third of iterating. */
function readBytes(server: string, { body, complete }: Exchange): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let failure: unknown;
    let ended = false;
    body.on("data", (chunk: Buffer) => chunks.push(chunk));
    body.on("error", (error) => {
      failure = error;
    });
    body.on("end", () => {
      ended = true;
    });
    body.on("close", () => {
      const [first] = chunks;
      if (!ended || !complete()) reject(exchangeError(server, failure, true));
      else resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
  });
}

async function* readChunks(
  server: string,
  { body }: Exchange,
  limits: Limits,
): AsyncGenerator<Uint8Array> {
  try {
    limits.check();
    for await (const chunk of body) yield chunk as Buffer;
    limits.check();
  } catch (error) {
    throw limits.reason() ?? exchangeError(server, error, true);
  } finally {
    limits.end();
    body.on("error", () => undefined);
    body.destroy();
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}
