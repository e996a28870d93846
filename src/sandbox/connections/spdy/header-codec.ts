import { type Deflate, type Inflate, constants, createDeflate, createInflate } from "node:zlib";
import { headerDictionary } from "./header-dictionary.ts";

export type SpdyHeaders = Readonly<Record<string, string>>;

/** More than any header of a stream that names its purpose and port. */
const longestBlock = 64 * 1024;

/** Compresses and expands the headers of one session; each direction is one long zlib stream. */
export class HeaderCodec {
  readonly #inflate: Inflate;
  readonly #deflate: Deflate;

  constructor() {
    const dictionary = headerDictionary();
    this.#inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
    this.#deflate = createDeflate({ dictionary });
  }

  async decode(block: Buffer): Promise<SpdyHeaders> {
    return readPairs(await through(this.#inflate, block));
  }

  encode(headers: SpdyHeaders): Promise<Buffer> {
    return through(this.#deflate, writePairs(headers));
  }

  close(): void {
    this.#inflate.destroy();
    this.#deflate.destroy();
  }
}

function through(stream: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > longestBlock) fail(new Error("headers of a stream are too long"));
      else chunks.push(chunk);
    };
    const leave = (): void => {
      stream.off("data", onData).off("error", fail);
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    stream.on("data", onData).once("error", fail);
    stream.write(block);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      leave();
      resolve(Buffer.concat(chunks));
    });
  });
}

function readPairs(block: Buffer): SpdyHeaders {
  const headers: Record<string, string> = {};
  let at = 4;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    const value = block.toString("utf8", at + 4, at + 4 + length);
    at += 4 + length;
    return value;
  };
  for (let left = block.readUInt32BE(0); left > 0 && at < block.length; left--) {
    const name = text();
    headers[name] = text();
  }
  return headers;
}

function writePairs(headers: SpdyHeaders): Buffer {
  const entries = Object.entries(headers);
  const parts: Buffer[] = [];
  const number = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    parts.push(bytes);
  };
  number(entries.length);
  for (const each of entries.flat()) {
    number(Buffer.byteLength(each));
    parts.push(Buffer.from(each));
  }
  return Buffer.concat(parts);
}
