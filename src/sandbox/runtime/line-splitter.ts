import { StringDecoder } from "node:string_decoder";

/** A line that does not end comes in pieces of this many characters. */
const longestLine = 64 * 1024;

/** Cuts bytes into lines as they arrive; `end` gives what is left. */
export function lineSplitter(line: (text: string) => void): {
  readonly write: (chunk: Buffer) => void;
  readonly end: () => void;
} {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    write: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const each of lines) line(each);
      for (; rest.length > longestLine; rest = rest.slice(longestLine)) {
        line(rest.slice(0, longestLine));
      }
    },
    end: () => {
      rest += decoder.end();
      if (rest !== "") line(rest);
      rest = "";
    },
  };
}
