import { expect, it } from "vitest";
import { wrapText } from "./wrap-text.ts";

it.each([
  ["", 10, []],
  ["out of memory", 20, ["out of memory"]],
  ["out of memory: limit 64Mi", 14, ["out of memory:", "limit 64Mi"]],
  ["registry.local:5000/shop is gone", 12, ["registry.loc", "al:5000/shop", "is gone"]],
  ["日本語", 4, ["日本", "語"]],
])("%j in %d columns", (text, width, expected) => {
  expect(wrapText(text, width)).toEqual(expected);
});
