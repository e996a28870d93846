import { expect, it } from "vitest";
import { der } from "./der.ts";

it.each([
  ["00", "020100"],
  ["7f", "02017f"],
  ["80", "02020080"],
  ["0001", "020101"],
  ["00ff", "020200ff"],
  ["000000", "020100"],
  ["0102", "02020102"],
])("the integer %s has the one form that readers take", (bytes, expected) => {
  expect(der.integer(Buffer.from(bytes, "hex")).toString("hex")).toBe(expected);
});
