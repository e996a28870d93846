import { expect, test } from "vitest";
import { humanDuration, timeSince } from "./age.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-2 * second, "<invalid>"],
  [-1 * second, "0s"],
  [0, "0s"],
  [119 * second, "119s"],
  [2 * minute, "2m"],
  [3 * minute + 20 * second, "3m20s"],
  [10 * minute + 5 * second, "10m"],
  [179 * minute, "179m"],
  [3 * hour, "3h"],
  [7 * hour + 5 * minute, "7h5m"],
  [47 * hour, "47h"],
  [2 * day + 4 * hour, "2d4h"],
  [8 * day, "8d"],
  [729 * day, "729d"],
  [730 * day, "2y"],
  [1000 * day, "2y270d"],
  [3000 * day, "8y"],
])("%d ms are %s", (milliseconds, expected) => {
  expect(humanDuration(milliseconds)).toBe(expected);
});

test("what has no time is of unknown age", () => {
  expect(timeSince(undefined, 0)).toBe("<unknown>");
  expect(timeSince("1970-01-01T00:00:00Z", 5 * second)).toBe("5s");
});
