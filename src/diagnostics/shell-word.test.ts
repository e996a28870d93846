import { expect, it } from "vitest";
import { shellWord } from "./shell-word.ts";

it.each([
  ["a/plain-file_1.yaml", "a/plain-file_1.yaml"],
  ["arn:aws:eks:eu-west-1:1:cluster/shop", "arn:aws:eks:eu-west-1:1:cluster/shop"],
  ["/home/me/Application Support", "'/home/me/Application Support'"],
  ["it's", `'it'\\''s'`],
  ['$HOME `x` "y"', "'$HOME `x` \"y\"'"],
  ["", "''"],
])("%j is written as %s", (text, word) => {
  expect(shellWord(text)).toBe(word);
});
