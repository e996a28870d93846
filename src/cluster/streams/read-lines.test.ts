import { array, assert, asyncProperty, integer, string } from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "./read-lines.ts";

async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  let start = 0;
  for (let turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function lines(
  chunks: AsyncIterable<Uint8Array>,
  longest = 1000,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of readLines(chunks, longest)) found.push(line);
  return found;
}

it("finds the same lines however the bytes arrive", async () => {
  await assert(
    asyncProperty(
      array(string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""))),
      array(integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (texts, sizes) => {
        const whole = texts.map((text) => `${text}\n`).join("");
        expect(await lines(cut(whole, sizes))).toEqual(texts);
      },
    ),
  );
});

it("gives a last line without a newline, and cuts one that does not end", async () => {
  expect(await lines(cut("a\nb", [1]))).toEqual(["a", "b"]);
  expect(await lines(cut("x".repeat(10), [4]), 8)).toEqual(["xxxxxxxx", "xx"]);
});
