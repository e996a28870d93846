import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { splitLines } from "./split-lines.ts";

async function linesOf(
  chunks: readonly Uint8Array[],
  longest = 1_000_000,
): Promise<readonly string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  splitLines(stream, {
    longest,
    onLine: (line) => lines.push(line),
    onTooLong: () => lines.push("(too long)"),
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once("close", resolve));
  return lines;
}

it("gives the same lines however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc
          .string({ unit: "grapheme", maxLength: 10 })
          .map((text) => text.replaceAll(/[\r\n]/g, "")),
      ),
      fc.array(fc.nat({ max: 40 }), { maxLength: 8 }),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])];
        places.sort((left, right) => left - right);
        const chunks = places.map((from, index) => bytes.subarray(from, places[index + 1]));
        expect(await linesOf(chunks.filter(({ length }) => length > 0))).toEqual(lines);
      },
    ),
  );
});

it.each<readonly [string, readonly string[], number, readonly string[]]>([
  ["a last line without its end", ["a\nb"], 10, ["a", "b"]],
  ["the line ends of Windows", ["a\r\nb\r\n"], 10, ["a", "b"]],
  [
    "a line that is too long, and nothing after it",
    ["a\n12345", "678901", "2\nb\n"],
    10,
    ["a", "(too long)"],
  ],
])("knows %s", async (_title, chunks, longest, expected) => {
  expect(
    await linesOf(
      chunks.map((chunk) => Buffer.from(chunk)),
      longest,
    ),
  ).toEqual(expected);
});
