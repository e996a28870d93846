import type { Duplex } from "node:stream";
import { exchangeError } from "./connection-error.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";
import type { OpenConnection } from "./open-connection.ts";
import { plainHeaders } from "./plain-headers.ts";

// An import would read every export of the module, and one of them loads a whole HTTP client.
const { Agent, request: requestHttp } = process.getBuiltinModule("node:http");

/** Keeps connections of HTTP/1.1 alive; how one is opened is the business of the caller. */
export class Http1Connections extends Agent {
  readonly #open: () => Promise<OpenConnection>;

  constructor(mostConnections: number, open: () => Promise<OpenConnection>) {
    super({ keepAlive: true, maxSockets: mostConnections, maxFreeSockets: mostConnections });
    this.#open = open;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    // oxlint-disable promise/no-callback-in-promise -- agents know no promises
    this.#open().then(
      ({ socket }) => callback?.(null, socket),
      // On failure the agent looks at the error only; the type wants a stream all the same.
      (error: unknown) => callback?.(error as Error, undefined as unknown as Duplex),
    );
    // oxlint-enable promise/no-callback-in-promise
  }
}

/** Sends one request over HTTP/1.1 and waits for the head of the answer. */
export function exchangeOverHttp1(
  server: string,
  connections: Http1Connections,
  request: ExchangeRequest,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp({
      agent: connections,
      method: request.method,
      path: request.target,
      headers: {
        ...request.headers,
        host: new URL(server).host,
        ...(request.body === undefined
          ? {}
          : { "content-length": String(Buffer.byteLength(request.body)) }),
      },
    });
    outgoing.on("response", (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: plainHeaders(incoming.headers),
        body: incoming,
        complete: () => incoming.complete,
      });
    });
    outgoing.on("error", (error) => {
      reject(exchangeError(server, error, true));
    });
    request.started(() => outgoing.destroy());
    outgoing.end(request.body);
  });
}
