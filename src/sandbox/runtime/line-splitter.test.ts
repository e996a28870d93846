import { array, assert, integer, property, string } from "fast-check";
import { expect, it } from "vitest";
import { lineSplitter } from "./line-splitter.ts";

function split(bytes: Buffer, size: number): readonly string[] {
  const lines: string[] = [];
  const { write, end } = lineSplitter((line) => lines.push(line));
  for (let at = 0; at < bytes.length; at += size) write(bytes.subarray(at, at + size));
  end();
  return lines;
}

it("finds the same lines however the bytes are cut", () => {
  const line = string({ unit: "grapheme", minLength: 1 }).map((text) =>
    text.replaceAll(/[\r\n]/g, "x"),
  );
  assert(
    property(array(line), integer({ min: 1, max: 9 }), (lines, size) => {
      expect(split(Buffer.from(lines.join("\n")), size)).toEqual(lines);
    }),
  );
});

it("cuts a line that does not end", () => {
  const lines = split(Buffer.from("a".repeat(150_000)), 1000);
  expect(lines.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
});
