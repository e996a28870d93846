import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { CommandConnection, PodConnection, PortConnection } from "./pod-connection.ts";
import { forwardFailure } from "./serve-channels.ts";
import { serveCommand } from "./serve-command.ts";
import { SpdySession, type SpdyStream } from "./spdy/session.ts";

export const portForwardProtocol = "portforward.k8s.io";
/** In them the status of a command is an object, as it is for numbered channels. */
const commandProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

/** The first of the client's protocols within SPDY that a connection can speak. */
export function chooseStreamProtocol(
  { kind }: PodConnection,
  asked: readonly string[],
): string | undefined {
  const known = kind === "command" ? commandProtocols : [portForwardProtocol];
  return asked.find((protocol) => known.includes(protocol));
}

/** Serves a connection whose parts are streams of SPDY, each named by its headers. */
export async function serveSpdy(connection: PodConnection, carrier: Duplex): Promise<void> {
  carrier.on("error", () => undefined);
  const session =
    connection.kind === "command"
      ? commandSession(connection, carrier)
      : portSession(connection, carrier);
  await session.serve();
}

function commandSession(connection: CommandConnection, carrier: Duplex): SpdySession {
  const wanted = [
    "error",
    ...(connection.stdin ? ["stdin"] : []),
    ...(connection.stdout ? ["stdout"] : []),
    ...(connection.stderr && !connection.tty ? ["stderr"] : []),
  ];
  const gone = new AbortController();
  carrier.once("close", () => {
    gone.abort();
  });
  const streams = new Map<string, SpdyStream>();
  const session = new SpdySession(carrier, (stream) => {
    const type = stream.headers["streamtype"] ?? "";
    if (streams.has(type)) return;
    streams.set(type, stream);
    // Sizes of a terminal arrive here, and there is none.
    if (type === "resize") stream.resume();
    if (wanted.includes(type) && wanted.every((name) => streams.has(name))) {
      runCommand(connection, streams, gone.signal)
        .catch(() => undefined)
        .finally(() => {
          for (const each of streams.values()) each.end();
        });
    }
  });
  return session;
}

function runCommand(
  connection: CommandConnection,
  streams: ReadonlyMap<string, SpdyStream>,
  gone: AbortSignal,
): Promise<void> {
  return serveCommand(
    connection,
    {
      stdin: streams.get("stdin"),
      stdout: (chunk) => write(streams.get("stdout"), chunk),
      stderr: (chunk) => write(streams.get("stderr"), chunk),
      status: (text) => write(streams.get("error"), Buffer.from(text)),
    },
    gone,
  );
}

async function write(stream: Duplex | undefined, chunk: Uint8Array): Promise<void> {
  if (stream === undefined || stream.destroyed) return;
  if (!stream.write(chunk)) await once(stream, "drain");
}

/** Each forwarded connection is a pair of streams with one number: for errors and for data. */
function portSession(connection: PortConnection, carrier: Duplex): SpdySession {
  const errors = new Map<string, SpdyStream>();
  return new SpdySession(carrier, (stream) => {
    const { streamtype, requestid = "" } = stream.headers;
    if (streamtype === "error") {
      errors.set(requestid, stream);
      stream.once("close", () => errors.delete(requestid));
      stream.resume();
      return;
    }
    const error = errors.get(requestid);
    forward(connection, stream, error);
  });
}

function forward(
  connection: PortConnection,
  stream: SpdyStream,
  errors: SpdyStream | undefined,
): void {
  const port = Number(stream.headers["port"]);
  const fail = (error: unknown): void => {
    errors?.end(forwardFailure(port, error));
    stream.end();
    stream.resume();
  };
  try {
    const target = connection.connect(port);
    target.once("error", fail);
    stream.once("close", () => target.destroy());
    stream.pipe(target);
    target.pipe(stream);
    target.once("close", () => {
      if (errors?.writableEnded === false) errors.end();
      stream.end();
    });
  } catch (error) {
    fail(error);
  }
}
