import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isUnsafeText, safeText } from "../diagnostics/index.ts";
import { pageJson } from "./page-json.ts";

it.each([
  ['plain \\u001b "quoted"\n\ttext', 'plain \\u001b "quoted"\n\ttext'],
  ["\u001B]52;c;x\u0007\b", "\\u001b]52;c;x\\u0007\\b"],
  ["\u009B\u202Eexe\u007F\u{E0041}", "\\u009b\\u202eexe\\u007f\\udb40\\udc41"],
])("the page reads %j as %j", (text, expected) => {
  expect(JSON.parse(pageJson({ text }))).toEqual({ text: expected });
});

it("gets logs with what their colours are made of, and nothing that reorders them", () => {
  expect(JSON.parse(pageJson(["\u001B[31mred\u202E"], { isLog: true }))).toEqual([
    "\u001B[31mred\\u202e",
  ]);
});

/** All texts of a value, names of fields too; a carriage return is white space to a page. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value.replaceAll("\r", "")];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap((entry) => entry.flatMap(stringsIn));
}

it("is valid and safe whatever is in it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const read = JSON.parse(pageJson([value, text])) as unknown;
      for (const shown of stringsIn(read)) expect(isUnsafeText(shown)).toBe(false);
      if (text === safeText(text)) expect(read).toMatchObject({ 1: text });
    }),
    { numRuns: 2_000 },
  );
});
