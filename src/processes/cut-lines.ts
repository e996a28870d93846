import { StringDecoder } from "node:string_decoder";
import type { Readable } from "node:stream";

/** Reads lines, of which the ends of long ones are left out: no more than the longest is ever held. */
export function cutLines(
  stream: Readable,
  longest: number,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let line = "";
  const take = (text: string): void => {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      line += text.slice(from, Math.min(end, from + longest - line.length));
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      line = "";
      from = end + 1;
    }
    if (line.length < longest) line += text.slice(from, from + longest - line.length);
  };
  stream.on("data", (chunk: Buffer) => {
    take(decoder.write(chunk));
  });
  return new Promise((resolve) => {
    stream.once("close", resolve);
    stream.once("end", () => {
      take(decoder.end());
      if (line !== "") onLine(line);
      line = "";
      resolve();
    });
    // A pipe that breaks is noticed by the end of its process.
    stream.on("error", () => undefined);
  });
}
