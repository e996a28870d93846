import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";
import type { LogLine, ResourceLogOptions } from "../provider.ts";

export interface TailOptions extends ResourceLogOptions {
  readonly signal: AbortSignal;
  /** False when nothing will be written any more. */
  readonly isWritten: () => Promise<boolean>;
  readonly now: () => number;
}

const chunkBytes = 64 * 1024;
const lookAgainMs = 200;
const leadingTime = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)/;

/**
 * The lines of a file that somebody else writes. The time of a line is the one that it begins with,
 * or of the line before it, or, of what comes while it is followed, the time of reading it.
 */
export async function* tailFile(path: string, options: TailOptions): AsyncGenerator<LogLine> {
  const file = await open(path, "r");
  try {
    const { mtimeMs } = await file.stat();
    const since = options.sinceMs;
    // Of lines without a time only this is known: none is newer than the file.
    let timeMs: number | undefined = since !== undefined && mtimeMs < since ? mtimeMs : undefined;
    let isOld = true;
    for await (const text of linesOf(file, options, () => (isOld = false))) {
      timeMs = timeAt(text) ?? (isOld ? timeMs : options.now());
      if (since !== undefined && timeMs !== undefined && timeMs < since) continue;
      yield timeMs === undefined ? { text } : { text, timeMs };
    }
  } finally {
    await file.close();
  }
}

async function* linesOf(
  file: Awaited<ReturnType<typeof open>>,
  { follow, signal, isWritten }: TailOptions,
  onEnd: () => void,
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.alloc(chunkBytes);
  let position = 0;
  let rest = "";
  while (!signal.aborted) {
    // Asked before reading: what is written last is then still read.
    const mayGrow = follow && (await isWritten());
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (signal.aborted) return;
    }
    if (!mayGrow) break;
    onEnd();
    await pause(lookAgainMs, undefined, { signal }).catch(() => {});
    // Emptied by somebody: it begins anew.
    if ((await file.stat()).size < position) position = 0;
  }
  if (rest !== "" && !signal.aborted) yield rest;
}

function timeAt(line: string): number | undefined {
  const written = leadingTime.exec(line)?.[1];
  if (written === undefined) return undefined;
  const timeMs = Date.parse(written.replace(" ", "T").replace(",", "."));
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
