import { Duplex } from "node:stream";
import { controlFrame, controlType, dataFrame, lastFrame, readFrames, streamOf } from "./frame.ts";
import type { SpdyFrame } from "./frame.ts";
import { HeaderCodec, type SpdyHeaders } from "./header-codec.ts";

/** One of the streams that a client opens within a session. */
export interface SpdyStream extends Duplex {
  readonly headers: SpdyHeaders;
}

/** Past this many at once a client is up to no good. */
const mostStreams = 1000;
const openHeadLength = 10;
const refusedStream = 3;
const cancelled = 5;

/**
 * The server's side of a SPDY/3.1 session: streams that the client opens over one connection. There
 * is no flow control between streams, as Kubernetes clients have none either.
 */
export class SpdySession {
  readonly #connection: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #codec = new HeaderCodec();

  constructor(connection: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#connection = connection;
    this.#onStream = onStream;
  }

  /** Serves until the client closes the connection or breaks the protocol. */
  async serve(): Promise<void> {
    let rest: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of this.#connection as AsyncIterable<Buffer>) {
        const read = readFrames(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
        rest = read.rest;
        for (const frame of read.frames) await this.#receive(frame);
      }
    } catch {
      // A connection that was lost, or bytes that are no frames: the session is over either way.
    } finally {
      this.close();
    }
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    this.#streams.clear();
    this.#codec.close();
    this.#connection.destroy();
  }

  async #receive(frame: SpdyFrame): Promise<void> {
    if (frame.kind === "data") {
      const stream = this.#streams.get(frame.stream);
      if (frame.content.length > 0 && stream?.push(frame.content) === false) await taken(stream);
      if ((frame.flags & lastFrame) !== 0) stream?.push(null);
      return;
    }
    switch (frame.type) {
      case controlType.open:
        await this.#open(frame.flags, frame.content);
        return;
      case controlType.reset:
        this.#streams.get(streamOf(frame.content))?.destroy();
        return;
      case controlType.ping:
        this.#connection.write(controlFrame(controlType.ping, 0, frame.content));
        return;
      case controlType.leave:
        this.#connection.end();
        return;
      default:
        // Settings and windows concern what this side does not do.
        return;
    }
  }

  async #open(flags: number, content: Buffer): Promise<void> {
    const id = streamOf(content);
    // Read in any case: all headers of a session are compressed as one.
    const headers = await this.#codec.decode(content.subarray(openHeadLength));
    if (this.#streams.size >= mostStreams) {
      this.#reset(id, refusedStream);
      return;
    }
    const stream = Object.assign(this.#newStream(id), { headers: lowerCase(headers) });
    this.#streams.set(id, stream);
    const reply = Buffer.concat([idBytes(id), await this.#codec.encode({})]);
    this.#connection.write(controlFrame(controlType.reply, 0, reply));
    if ((flags & lastFrame) !== 0) stream.push(null);
    this.#onStream(stream);
  }

  #newStream(id: number): Duplex {
    const stream = new Duplex({
      read: () => {
        stream.emit("taken");
      },
      write: (chunk: Buffer, _encoding, done) => {
        this.#send(dataFrame(id, 0, chunk), done);
      },
      final: (done) => {
        this.#send(dataFrame(id, lastFrame, Buffer.alloc(0)), done);
      },
      destroy: (error, done) => {
        if (!stream.writableFinished) this.#reset(id, cancelled);
        this.#streams.delete(id);
        stream.emit("taken");
        done(error);
      },
    });
    stream.on("error", () => undefined);
    return stream;
  }

  #send(frame: Buffer, done: (error?: Error | null) => void): void {
    if (this.#connection.destroyed) done(new Error("the connection is closed"));
    else this.#connection.write(frame, done);
  }

  #reset(id: number, status: number): void {
    if (this.#connection.destroyed || this.#connection.writableEnded) return;
    const content = Buffer.concat([idBytes(id), idBytes(status)]);
    this.#connection.write(controlFrame(controlType.reset, 0, content));
  }
}

/** Until a reader has taken what a stream holds; one that nobody reads holds up its session. */
function taken(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.once("taken", resolve);
  });
}

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}

function lowerCase(headers: SpdyHeaders): SpdyHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
