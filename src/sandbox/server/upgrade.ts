import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer, createWebSocketStream } from "ws";
import type { WebSocket } from "ws";
import type { MessageSocket } from "../../cluster/index.ts";
import { MessageQueue } from "../connections/message-queue.ts";
import type { PodConnection } from "../connections/pod-connection.ts";
import { chooseChannelProtocol, serveChannels } from "../connections/serve-channels.ts";
import { chooseStreamProtocol, portForwardProtocol, serveSpdy } from "../connections/serve-spdy.ts";
import { badRequest, type StatusError } from "../api/status.ts";

/** SPDY within a WebSocket, as newer clients forward ports. */
const tunnelProtocol = `SPDY/3.1+${portForwardProtocol}`;

export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  /** What the client sent already. */
  readonly head: Buffer;
}

/** Changes to the protocol that a client asked for; gives why it cannot when none of them is known. */
export function acceptUpgrade(
  request: UpgradeRequest,
  connection: PodConnection,
): StatusError | undefined {
  const { headers } = request.incoming;
  const wanted = (headers.upgrade ?? "").toLowerCase();
  if (wanted === "websocket") return acceptWebSocket(request, connection);
  if (wanted === "spdy/3.1") return acceptSpdy(request, connection);
  return badRequest(`unable to upgrade: the sandbox speaks websocket and SPDY/3.1, not ${wanted}`);
}

function acceptWebSocket(
  { incoming, socket, head }: UpgradeRequest,
  connection: PodConnection,
): StatusError | undefined {
  const asked = list(incoming.headers["sec-websocket-protocol"]);
  const tunnelled = connection.kind === "ports" && asked.includes(tunnelProtocol);
  const protocol = tunnelled ? tunnelProtocol : chooseChannelProtocol(connection, asked);
  if (protocol === undefined) return unknownProtocol(asked);
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: () => protocol,
  });
  server.handleUpgrade(incoming, socket, head, (webSocket) => {
    webSocket.on("error", () => undefined);
    const serving = tunnelled
      ? serveSpdy(connection, createWebSocketStream(webSocket))
      : serveChannels(connection, messageSocket(webSocket, protocol));
    serving.catch(() => {
      webSocket.terminate();
    });
  });
  return undefined;
}

function acceptSpdy(
  { incoming, socket, head }: UpgradeRequest,
  connection: PodConnection,
): StatusError | undefined {
  const asked = list(incoming.headers["x-stream-protocol-version"]);
  const protocol = chooseStreamProtocol(connection, asked);
  if (protocol === undefined) return unknownProtocol(asked);
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Connection: Upgrade",
      "Upgrade: SPDY/3.1",
      `X-Stream-Protocol-Version: ${protocol}`,
      "\r\n",
    ].join("\r\n"),
  );
  if (head.length > 0) socket.unshift(head);
  serveSpdy(connection, socket).catch(() => {
    socket.destroy();
  });
  return undefined;
}

function unknownProtocol(asked: readonly string[]): StatusError {
  return badRequest(
    `unable to upgrade: unable to negotiate protocol: client supports ${asked.join(", ")}`,
  );
}

/** The values of a header that may be repeated or hold several. */
function list(value: string | readonly string[] | undefined): readonly string[] {
  const text = typeof value === "object" ? value.join(",") : (value ?? "");
  return text.split(",").map((each) => each.trim());
}

/** Without a code clients take the end for a failure. */
const normalClosure = 1000;
/** Past this many waiting messages the client is held up until they are taken. */
const mostWaiting = 64;

function messageSocket(webSocket: WebSocket, protocol: string): MessageSocket {
  const queue = new MessageQueue();
  let waiting = 0;
  webSocket.on("message", (data: Buffer) => {
    if (++waiting >= mostWaiting) webSocket.pause();
    void queue.push(data).then(() => {
      if (--waiting < mostWaiting && webSocket.isPaused) webSocket.resume();
    });
  });
  webSocket.on("close", () => {
    queue.end();
  });
  return {
    protocol,
    send: (message) =>
      new Promise((resolve, reject) => {
        webSocket.send(message, { binary: true }, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(error);
        });
      }),
    messages: queue.read(),
    close: () => {
      webSocket.close(normalClosure);
    },
  };
}

/** An ordinary answer to a request that asked for another protocol. */
export function plainAnswer({ incoming, socket }: UpgradeRequest): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.on("finish", () => {
    socket.end();
  });
  return outgoing;
}
