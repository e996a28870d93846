import { durationMs } from "../../objects/index.ts";
import { expect, it } from "vitest";
import { goDuration } from "./go-duration.ts";

it.each([
  ["5s", 5000],
  ["1m30s", 90_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["", undefined],
  ["5", undefined],
  ["s", undefined],
] as const)("%j is %j ms", (text, expected) => {
  expect(durationMs(text)).toBe(expected);
});

it.each([
  [10_000, "10s"],
  [160_000, "2m40s"],
  [300_000, "5m0s"],
  [3_600_000, "1h0m0s"],
] as const)("%j ms is written as %s", (milliseconds, expected) => {
  expect(goDuration(milliseconds)).toBe(expected);
});
