import { expect, it } from "vitest";
import { controlSequence, throughBoundary } from "../terminal.ts";
import { cutLine } from "./cut-line.ts";
import { fitText, textWidth } from "./text-width.ts";

it.each([
  ["plain", 5],
  ["über", 4],
  ["日本語", 6],
  ["한국어", 6],
  ["ｶﾀ", 2],
  ["サービス。", 10],
  ["🚀", 2],
  ["e\u0301", 1],
  ["⚠\uFE0F", 2],
  ["│ ✓ …", 5],
])("%s takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

it.each([
  ["web", 5, "web  "],
  ["日本", 5, "日本 "],
  ["a-long-name", 5, "a-lo…"],
  ["日本語サービス", 6, "日本… "],
  ["🚀🚀🚀", 5, "🚀🚀…"],
])("%s fits into %i columns", (text, width, expected) => {
  expect(fitText(text, width)).toBe(expected);
});

it.each([
  ["short", 10, "short"],
  ["日本語日本語", 8, "日本語…\u001B[0m"],
  [
    `${controlSequence("\u001B[31m")}日本${controlSequence("\u001B[0m")}`,
    5,
    "\u001B[31m日本\u001B[0m",
  ],
  ["\u001B[2Jabc\n", 9, "\\u001b[2…\u001B[0m"],
  ["one\ntwo\tthree", 80, "one two    three"],
  ["🚀🚀🚀🚀", 6, "🚀🚀…\u001B[0m"],
])("a line %j is cut for a terminal of %i columns", (line, width, expected) => {
  expect(throughBoundary(cutLine(line, width))).toBe(expected);
});
