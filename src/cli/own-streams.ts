import { plainLog } from "../diagnostics/index.ts";
import type { OutputStream } from "./context.ts";

type Stream = NodeJS.WriteStream & { readonly fd?: number };

/**
 * The streams of this process, for commands only. Modules of providers and plugins run in this process too: what they
 * print goes to standard error, where nobody takes it for an answer, and can do nothing to a terminal.
 */
export function ownStreams({
  stdout,
  stderr,
}: {
  readonly stdout: Stream;
  readonly stderr: Stream;
}): {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
} {
  const streams = { stdout: ownStream(stdout), stderr: ownStream(stderr) };
  const writeError = stderr.write.bind(stderr);
  const write: Stream["write"] = (
    chunk: string | Uint8Array,
    ...rest: readonly (BufferEncoding | ((error?: Error | null) => void) | undefined)[]
  ) => {
    const [encoding] = rest.filter((each) => typeof each === "string");
    const [done] = rest.filter((each) => typeof each === "function");
    const text = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    return writeError(plainLog(Buffer.from(text).toString("utf8")), done);
  };
  for (const stream of [stdout, stderr]) {
    stream.write = write;
    // Whoever pipes into a stream ends it: it is not theirs to end.
    stream.end = (...rest: readonly unknown[]) => {
      const [chunk] = rest.filter((each) => typeof each === "string" || each instanceof Uint8Array);
      const [done] = rest.filter((each) => typeof each === "function");
      if (chunk !== undefined) write(chunk);
      done?.();
      return stream;
    };
  }
  return streams;
}

function ownStream(stream: Stream): OutputStream {
  const write = stream.write.bind(stream);
  return {
    write: (text) => write(text),
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}
