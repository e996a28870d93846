import { once } from "node:events";
import type { Socket } from "node:net";
import type { MessageSocket } from "../../cluster/index.ts";
import { MessageQueue } from "./message-queue.ts";
import type { CommandConnection, PodConnection, PortConnection } from "./pod-connection.ts";
import { serveCommand } from "./serve-command.ts";

/** Only version 5 can say that standard input has ended. */
const closingProtocol = "v5.channel.k8s.io";
const commandProtocols = [closingProtocol, "v4.channel.k8s.io"];
const portProtocols = ["v4.channel.k8s.io"];

/** The first of the client's protocols of numbered channels that a connection can speak. */
export function chooseChannelProtocol(
  { kind }: PodConnection,
  asked: Iterable<string>,
): string | undefined {
  const known = kind === "command" ? commandProtocols : portProtocols;
  return [...asked].find((protocol) => known.includes(protocol));
}

/** Serves a connection whose every message begins with the number of its channel. */
export async function serveChannels(
  connection: PodConnection,
  socket: MessageSocket,
): Promise<void> {
  try {
    if (connection.kind === "command") await serveCommandChannels(connection, socket);
    else await servePortChannels(connection, socket);
  } finally {
    socket.close();
  }
}

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

async function serveCommandChannels(
  connection: CommandConnection,
  socket: MessageSocket,
): Promise<void> {
  const gone = new AbortController();
  const input = new MessageQueue();
  const receiving = receiveInput(socket, input).finally(() => {
    input.end();
    gone.abort();
  });
  receiving.catch(() => undefined);
  // An empty message tells the client that the connection stands.
  await socket.send(Uint8Array.of(channel.stdout));
  await serveCommand(
    connection,
    {
      stdin: connection.stdin ? input.read() : undefined,
      stdout: (chunk) => socket.send(framed(channel.stdout, chunk)),
      stderr: (chunk) => socket.send(framed(channel.stderr, chunk)),
      status: (text) => socket.send(framed(channel.status, Buffer.from(text))),
    },
    gone.signal,
  );
}

async function receiveInput(socket: MessageSocket, input: MessageQueue): Promise<void> {
  for await (const message of socket.messages) {
    if (message[0] === channel.stdin && message.length > 1) await input.push(message.subarray(1));
    if (message[0] === channel.close && message[1] === channel.stdin) input.end();
  }
}

/** Each port has two channels, for data and for errors, that begin with its number. */
async function servePortChannels(connection: PortConnection, socket: MessageSocket): Promise<void> {
  const targets: (Socket | undefined)[] = [];
  const serving: Promise<void>[] = [];
  for (const [index, port] of connection.ports.entries()) {
    const data = index * 2;
    await socket.send(framed(data, portBytes(port)));
    await socket.send(framed(data + 1, portBytes(port)));
    try {
      const target = connection.connect(port);
      target.on("error", () => undefined);
      targets[index] = target;
      serving.push(
        copyToClient(target, data, socket).catch((error: unknown) =>
          socket.send(framed(data + 1, Buffer.from(forwardFailure(port, error)))),
        ),
      );
    } catch (error) {
      await socket.send(framed(data + 1, Buffer.from(forwardFailure(port, error))));
    }
  }
  const receiving = receiveData(socket, targets).finally(() => {
    for (const target of targets) target?.destroy();
  });
  receiving.catch(() => undefined);
  await Promise.all(serving);
}

async function copyToClient(target: Socket, to: number, socket: MessageSocket): Promise<void> {
  for await (const chunk of target as AsyncIterable<Uint8Array>) {
    await socket.send(framed(to, chunk));
  }
}

async function receiveData(
  socket: MessageSocket,
  targets: readonly (Socket | undefined)[],
): Promise<void> {
  for await (const message of socket.messages) {
    const number = message[0] ?? 0;
    const target = number % 2 === 0 ? targets[number / 2] : undefined;
    if (target === undefined || target.destroyed || message.length < 2) continue;
    if (!target.write(message.subarray(1))) await once(target, "drain");
  }
}

/** Why a port could not be reached, in the kubelet's words. */
export function forwardFailure(port: number, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `an error occurred forwarding to port ${port} of the pod: ${why}`;
}

function portBytes(port: number): Uint8Array {
  return Uint8Array.of(port & 0xff, port >> 8);
}

function framed(to: number, content: Uint8Array): Uint8Array {
  const message = new Uint8Array(content.length + 1);
  message[0] = to;
  message.set(content, 1);
  return message;
}
