import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "./json.ts";

test.each([
  "1",
  "9007199254740993",
  "-9223372036854775808",
  '{"a":[18446744073709551615,"9007199254740993"]}',
  "1.5",
])("%s keeps every digit", (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("only integers that a double cannot hold become bigint", () => {
  expect(parseJson("[9007199254740991, 9007199254740993, 1e20, 1.00000000000000001]")).toEqual([
    9007199254740991,
    9007199254740993n,
    1e20,
    1,
  ]);
});
