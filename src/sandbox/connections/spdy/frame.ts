/** The frames of SPDY/3.1 that Kubernetes clients send, and what carries them as bytes. */
export type SpdyFrame =
  | {
      readonly kind: "control";
      readonly type: number;
      readonly flags: number;
      readonly content: Buffer;
    }
  | {
      readonly kind: "data";
      readonly stream: number;
      readonly flags: number;
      readonly content: Buffer;
    };

export const controlType = { open: 1, reply: 2, reset: 3, ping: 6, leave: 7 } as const;
export const lastFrame = 1;

const headLength = 8;
const controlBit = 0x8000;
const version = 3;
const streamMask = 0x7fffffff;
/** Clients send at most 32 KiB at a time. */
const longestFrame = 1024 * 1024;

/** Takes the whole frames from the front of what has arrived; `rest` waits for more. */
export function readFrames(bytes: Buffer): {
  readonly frames: readonly SpdyFrame[];
  readonly rest: Buffer;
} {
  const frames: SpdyFrame[] = [];
  let at = 0;
  while (bytes.length - at >= headLength) {
    const flags = bytes.readUInt8(at + 4);
    const length = bytes.readUIntBE(at + 5, 3);
    if (length > longestFrame) throw new Error("a frame is too long");
    const end = at + headLength + length;
    if (end > bytes.length) break;
    const content = bytes.subarray(at + headLength, end);
    const isControl = (bytes.readUInt16BE(at) & controlBit) !== 0;
    frames.push(
      isControl
        ? { kind: "control", type: bytes.readUInt16BE(at + 2), flags, content }
        : { kind: "data", stream: streamOf(bytes, at), flags, content },
    );
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}

/** The identifier of a stream at the beginning of a frame's content. */
export function streamOf(content: Buffer, at = 0): number {
  return content.readUInt32BE(at) & streamMask;
}

export function controlFrame(type: number, flags: number, content: Buffer): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt16BE(controlBit | version, 0);
  head.writeUInt16BE(type, 2);
  return finished(head, flags, content);
}

export function dataFrame(stream: number, flags: number, content: Buffer): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(stream, 0);
  return finished(head, flags, content);
}

function finished(head: Buffer, flags: number, content: Buffer): Buffer {
  head.writeUInt8(flags, 4);
  head.writeUIntBE(content.length, 5, 3);
  return Buffer.concat([head, content]);
}
