import { array, assert, asyncProperty, string } from "fast-check";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { cutLines } from "./cut-lines.ts";

async function linesOf(chunks: readonly string[], longest: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  await cutLines(stream, longest, (line) => lines.push(line));
  return lines;
}

it.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b\r\nc"],
    ["ab", "c"],
  ],
  [["\n\n"], ["", ""]],
  [
    ["123456789\n12", "3456789\n"],
    ["12345", "12345"],
  ],
  [["x".repeat(100), "x".repeat(100)], ["xxxxx"]],
])("%j → %j", async (chunks, lines) => {
  expect(await linesOf(chunks, 5)).toEqual(lines);
});

it("reads any text as it is cut into lines", async () => {
  await assert(
    asyncProperty(array(string()), async (chunks) => {
      const text = chunks.join("");
      const expected = text.split("\n").map((line) => line.replace(/\r$/, ""));
      expect(await linesOf(chunks, 1_000)).toEqual(
        text.endsWith("\n") || text === "" ? expected.slice(0, -1) : expected,
      );
    }),
  );
});
