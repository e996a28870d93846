import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { connectError, exchangeError, timeoutError } from "./connection-error.ts";
import type { OutgoingHeaders } from "./exchange.ts";
import type { OpenConnection } from "./open-connection.ts";
import { plainHeaders } from "./plain-headers.ts";
import { SocketRefused } from "./socket-refused.ts";
import type { MessageSocket, TransportAnswer } from "./transport.ts";

export interface WebSocketRequest {
  readonly server: string;
  readonly target: string;
  readonly headers: OutgoingHeaders;
  readonly protocols: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** Opens a WebSocket over a connection that the caller opens. */
export async function openWebSocket(
  request: WebSocketRequest,
  open: () => Promise<OpenConnection>,
): Promise<MessageSocket> {
  request.signal?.throwIfAborted();
  const { socket: connection } = await open();
  connection.on("error", () => undefined);
  const socket = new WebSocket(
    `${request.server.replace(/^http/, "ws")}${request.target}`,
    [...request.protocols],
    {
      createConnection: () => connection,
      headers: request.headers as Record<string, string>,
      perMessageDeflate: false,
    },
  );
  // Listeners for messages come before the handshake ends: the server may speak first.
  const messages = incomingMessages(request.server, socket, request.signal);
  await handshake(request, socket);
  return {
    protocol: socket.protocol,
    send: (message) => send(request.server, socket, message),
    messages,
    close: () => {
      socket.close();
    },
  };
}

function handshake(request: WebSocketRequest, socket: WebSocket): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      reject(timeoutError(request.server, "opening a socket", request.timeoutMs));
      socket.terminate();
    }, request.timeoutMs);
    socket.on("close", () => {
      clearTimeout(late);
    });
    socket.on("open", () => {
      clearTimeout(late);
      resolve();
    });
    socket.on("unexpected-response", (_outgoing, incoming) => {
      refuse(request.server, incoming)
        .catch(reject)
        .finally(() => {
          socket.terminate();
        });
    });
    socket.on("error", (error) => {
      reject(connectError(request.server, error));
    });
  });
}

async function refuse(server: string, incoming: IncomingMessage): Promise<never> {
  let answer: TransportAnswer;
  try {
    answer = await readAnswer(incoming);
  } catch (error) {
    throw connectError(server, error);
  }
  throw new SocketRefused(answer);
}

async function readAnswer(incoming: IncomingMessage): Promise<TransportAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    status: incoming.statusCode ?? 0,
    headers: plainHeaders(incoming.headers),
    text: Buffer.concat(chunks).toString("utf8"),
  };
}

function send(server: string, socket: WebSocket, message: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(message, { binary: true }, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(exchangeError(server, error, true));
    });
  });
}

/** Messages wait in a queue; past this many the connection is paused until they are taken. */
const mostWaiting = 64;

function incomingMessages(
  server: string,
  socket: WebSocket,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let ended = false;
  let failure: unknown;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };
  const onAbort = (): void => {
    socket.terminate();
  };
  signal?.addEventListener("abort", onAbort);
  socket.on("message", (data: Buffer) => {
    waiting.push(data);
    if (waiting.length >= mostWaiting) socket.pause();
    notify();
  });
  socket.on("error", (error) => {
    failure ??= error;
  });
  socket.on("close", (code) => {
    ended = true;
    // 1006: the connection was lost without a farewell.
    if (code === 1006) failure ??= new Error("connection lost");
    signal?.removeEventListener("abort", onAbort);
    notify();
  });
  return (async function* () {
    try {
      for (;;) {
        const message = waiting.shift();
        if (message !== undefined) {
          if (waiting.length < mostWaiting && socket.isPaused) socket.resume();
          yield message;
        } else if (ended) {
          signal?.throwIfAborted();
          if (failure !== undefined) throw exchangeError(server, failure, true);
          return;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      socket.terminate();
    }
  })();
}
