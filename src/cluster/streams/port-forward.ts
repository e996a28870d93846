import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { fail } from "../../diagnostics/index.ts";
import type { ClientContext } from "../api/client-context.ts";
import type { MessageSocket } from "../transport/transport.ts";
import { openPodSocket } from "./open-pod-socket.ts";
import type { PodReference } from "./pod-logs.ts";

export interface PortForwardOptions {
  readonly podPort: number;
  /** A free one when left out. */
  readonly localPort?: number | undefined;
  /** The local address to listen on; only this machine by default. */
  readonly address?: string | undefined;
  /** Told of each connection that could not be forwarded. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

export interface OpenPortForward {
  readonly localPort: number;
  close(): Promise<void>;
}

const dataChannel = 0;
const errorChannel = 1;
/**
 * The kubelet's own protocol, which API servers pass through. Newer servers also wrap SPDY into a
 * WebSocket; that would only save a handshake for each connection.
 */
const protocols = ["v4.channel.k8s.io"];

/** Listens on a local port and forwards each connection to a port of a pod. */
export async function portForward(
  context: ClientContext,
  pod: PodReference,
  options: PortForwardOptions,
): Promise<OpenPortForward> {
  const { podPort, localPort = 0, address = "127.0.0.1", onTrouble } = options;
  const connections = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (connection) => {
    connections.add(connection);
    connection.on("error", () => undefined);
    connection.on("close", () => connections.delete(connection));
    forward(context, pod, podPort, connection)
      .catch((error: unknown) => onTrouble?.(error))
      .finally(() => connection.destroy());
  });
  await listen(server, localPort, address, pod);
  return {
    localPort: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const connection of connections) connection.destroy();
      }),
  };
}

function listen(server: Server, port: number, address: string, pod: PodReference): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (cause: NodeJS.ErrnoException) => {
      try {
        fail({
          code: "cluster.port-forward",
          summary: `cannot forward to pod ${pod.name}: port ${port} of ${address} cannot be used (${cause.code ?? "unknown"})`,
          hint: "choose another local port",
          cause,
        });
      } catch (error) {
        reject(error);
      }
    });
    server.listen(port, address, resolve);
  });
}

async function forward(
  context: ClientContext,
  pod: PodReference,
  podPort: number,
  connection: Socket,
): Promise<void> {
  const socket = await openPodSocket(
    context,
    pod,
    "portforward",
    { ports: String(podPort) },
    protocols,
  );
  connection.on("close", () => {
    socket.close();
  });
  const quiet = new QuietTimer(() => {
    socket.close();
  });
  send(socket, connection)
    .catch(() => undefined)
    .finally(() => {
      quiet.start();
    });
  try {
    await receive(socket, connection, pod, podPort, () => {
      quiet.refresh();
    });
  } finally {
    quiet.stop();
    socket.close();
  }
}

/** How long an answer may pause after the local side has ended. */
const quietMs = 5000;

/**
 * The protocol cannot say that only one direction has ended. So after the local side has ended the
 * other may still answer, until it is quiet; else each closed connection would stay open at the pod.
 */
class QuietTimer {
  readonly #onQuiet: () => void;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(onQuiet: () => void) {
    this.#onQuiet = onQuiet;
  }

  start(): void {
    if (!this.#stopped) this.#timer = setTimeout(this.#onQuiet, quietMs);
  }

  refresh(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

async function send(socket: MessageSocket, connection: Socket): Promise<void> {
  for await (const chunk of connection as AsyncIterable<Buffer>) {
    const message = new Uint8Array(chunk.length + 1);
    message[0] = dataChannel;
    message.set(chunk, 1);
    await socket.send(message);
  }
}

async function receive(
  socket: MessageSocket,
  connection: Socket,
  pod: PodReference,
  podPort: number,
  onMessage: () => void,
): Promise<void> {
  // Each channel begins with two bytes that repeat the port.
  const announced = new Set<number>();
  for await (const message of socket.messages) {
    const from = message[0] ?? errorChannel;
    const content = message.subarray(1);
    onMessage();
    if (content.length === 0) continue;
    if (!announced.has(from)) {
      announced.add(from);
    } else if (from === dataChannel) {
      if (!connection.write(content)) await drained(connection);
    } else {
      fail({
        code: "cluster.port-forward",
        summary: `cannot forward to port ${podPort} of pod ${pod.name}`,
        detail: new TextDecoder().decode(content),
        subject: `Pod ${pod.namespace === undefined ? pod.name : `${pod.namespace}/${pod.name}`}`,
      });
    }
  }
  await new Promise<void>((resolve) => connection.end(resolve));
}

function drained(connection: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      connection.off("drain", done).off("close", done);
      resolve();
    };
    connection.on("drain", done).on("close", done);
    if (connection.destroyed) done();
  });
}
