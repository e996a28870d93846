import { createHash } from "node:crypto";
import { duplexPair } from "node:stream";
import { assert, asyncProperty, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { controlFrame, controlType, dataFrame, lastFrame, readFrames } from "./frame.ts";
import { HeaderCodec } from "./header-codec.ts";
import { headerDictionary } from "./header-dictionary.ts";
import { SpdySession } from "./session.ts";

function id(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

async function opening(codec: HeaderCodec, stream: number, type: string): Promise<Buffer> {
  const block = await codec.encode({ Streamtype: type });
  const content = Buffer.concat([id(stream), id(0), Buffer.alloc(2), block]);
  return controlFrame(controlType.open, 0, content);
}

describe("the words that headers are compressed with", () => {
  it("are those of the protocol", () => {
    const digest = createHash("sha256").update(headerDictionary()).digest("hex");
    expect(digest).toBe("51d27341373f923f3cd88e1eb7162aeaa3723d7585ff2399201dc06498407f02");
  });
});

describe("a session", () => {
  it("carries streams both ways, however their bytes are cut", async () => {
    const [client, server] = duplexPair();
    const session = new SpdySession(server, (stream) => {
      stream.on("data", (chunk: Buffer) => {
        stream.write(`${stream.headers["streamtype"]}:${chunk.toString()}`);
      });
      stream.on("end", () => stream.end());
    });
    const serving = session.serve();
    const codec = new HeaderCodec();
    const sent = Buffer.concat([
      await opening(codec, 1, "first"),
      await opening(codec, 3, "second"),
      dataFrame(3, 0, Buffer.from("b")),
      dataFrame(1, 0, Buffer.from("a")),
      dataFrame(1, lastFrame, Buffer.alloc(0)),
      dataFrame(3, lastFrame, Buffer.alloc(0)),
    ]);
    for (let at = 0; at < sent.length; at += 7) client.write(sent.subarray(at, at + 7));
    const received: string[] = [];
    let ends = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of client as AsyncIterable<Buffer>) {
      const read = readFrames(Buffer.concat([rest, chunk]));
      rest = read.rest;
      for (const frame of read.frames) {
        if (frame.kind !== "data") continue;
        if (frame.content.length > 0) received.push(`${frame.stream} ${frame.content.toString()}`);
        ends += frame.flags & lastFrame;
      }
      if (ends === 2) break;
    }
    expect(received.toSorted()).toEqual(["1 first:a", "3 second:b"]);
    client.destroy();
    server.destroy();
    await serving;
  });

  it("ends quietly at bytes that are no frames", async () => {
    await assert(
      asyncProperty(uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const [client, server] = duplexPair();
        const session = new SpdySession(server, (stream) => stream.resume());
        const serving = session.serve();
        client.on("error", () => undefined).resume();
        client.end(bytes);
        await serving;
        expect(server.destroyed).toBe(true);
      }),
    );
  });
});
