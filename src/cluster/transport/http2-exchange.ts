import { constants } from "node:http2";
import type { ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import type { SessionLease } from "./http2-sessions.ts";
import { exchangeError } from "./connection-error.ts";
import { plainHeaders } from "./plain-headers.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";

const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** Sends one request on a session and waits for the head of the answer. */
export function exchangeOverHttp2(
  server: string,
  lease: SessionLease,
  request: ExchangeRequest,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let stream: ClientHttp2Stream;
    try {
      stream = lease.session.request(
        { ":method": request.method, ":path": request.target, ...request.headers },
        { endStream: request.body === undefined },
      );
    } catch (error) {
      // The session went down between being chosen and being used: nothing was sent.
      lease.release();
      reject(exchangeError(server, error, false));
      return;
    }
    let failure: Error | undefined;
    let answered = false;
    stream.on("response", (headers) => {
      answered = true;
      resolve(answering(stream, headers));
    });
    stream.on("error", (error) => {
      failure = error;
    });
    stream.on("close", () => {
      lease.release();
      // Once the head has arrived the body reports what happens.
      if (answered) return;
      reject(exchangeError(server, failure, stream.rstCode !== NGHTTP2_REFUSED_STREAM));
    });
    request.started(() => {
      stream.close(NGHTTP2_CANCEL);
    });
    if (request.body !== undefined) stream.end(request.body);
  });
}

function answering(stream: ClientHttp2Stream, head: IncomingHttpHeaders): Exchange {
  return {
    status: Number(head[":status"] ?? 0),
    headers: plainHeaders(head),
    body: stream,
    // A stream may be cut off without an error; its close code tells.
    complete: () => stream.rstCode === NGHTTP2_NO_ERROR && !stream.aborted,
  };
}
