import type { Readable } from "node:stream";

export interface LineHandlers {
  /** How many bytes a line may have. */
  readonly longest: number;
  readonly onLine: (line: string) => void;
  /** Told once; nothing is read after it. */
  readonly onTooLong: () => void;
}

const newline = 0x0a;

/** Cuts a stream of bytes into lines and never holds more than one of the longest. */
export function splitLines(stream: Readable, { longest, onLine, onTooLong }: LineHandlers): void {
  let parts: Buffer[] = [];
  let length = 0;
  const flush = (last: Buffer): void => {
    const line = Buffer.concat([...parts, last]).toString("utf8");
    parts = [];
    length = 0;
    onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  };
  const onData = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      flush(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from === chunk.length) return;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length <= longest) return;
    parts = [];
    stream.off("data", onData);
    stream.resume();
    onTooLong();
  };
  stream.on("data", onData);
  stream.on("end", () => {
    if (parts.length > 0) flush(Buffer.alloc(0));
  });
  stream.on("error", () => {
    // A pipe that breaks is noticed by the end of its process.
  });
}
