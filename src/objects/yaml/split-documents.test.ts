import { expect, test } from "vitest";
import { splitDocuments } from "./split-documents.ts";

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\n---\nb\n", ["a\n", "---\nb\n"]],
  ["---\na\n--- b\n---", ["---\na\n", "--- b\n", "---"]],
  ["a\r\n---\r\nb", ["a\r\n", "---\r\nb"]],
  ["a\n----\n--- \n", ["a\n----\n", "--- \n"]],
  ["a\n ---\n-- -\n", ["a\n ---\n-- -\n"]],
  ["a: |\n  x\n---\n", ["a: |\n  x\n", "---\n"]],
  ["a\n...\nb\n...\n", ["a\n...\n", "b\n...\n"]],
  ["a\n...\n%TAG ! x\n---\nb", ["a\n...\n", "%TAG ! x\n---\nb"]],
  ["# c\n%YAML 1.1\n---\nb\n---\n", ["# c\n%YAML 1.1\n---\nb\n", "---\n"]],
  ["# only a comment\n---\nb", ["# only a comment\n", "---\nb"]],
])("%j", (text, expected) => {
  const spans = [...splitDocuments(text)];
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
