import { expect, it } from "vitest";
import { amountText, drawnLines, type Plot, withPoints } from "./plot-lines.ts";
import type { StatsPoint } from "../../src/dashboard/stats-view.ts";

function point(plot: string, line: string, timeMs: number, value: number): StatsPoint {
  return { plot, unit: "cores", line, timeMs, value };
}

it("puts points into plots and lines, each measurement once and in order", () => {
  const first = withPoints([], [point("cpu", "a", 1, 1), point("cpu", "b", 1, 2)]);
  const second = withPoints(first, [point("cpu", "a", 1, 1), point("cpu", "a", 2, 3)]);
  const third = withPoints(second, [point("memory", "a", 2, 9)]);
  expect(
    third.map(({ name, lines }) => [
      name,
      lines.map((line) => `${line.name}${line.points.length}`),
    ]),
  ).toEqual([
    ["cpu", ["a2", "b1"]],
    ["memory", ["a1"]],
  ]);
});

it("forgets the oldest", () => {
  let plots: readonly Plot[] = [];
  for (let time = 0; time < 700; time++) plots = withPoints(plots, [point("cpu", "a", time, 1)]);
  const points = plots[0]?.lines[0]?.points;
  expect([points?.length, points?.[0]?.timeMs]).toEqual([600, 100]);
});

it("draws from zero to a round number above all lines, and from the first moment to the last", () => {
  const [plot] = withPoints(
    [],
    [point("cpu", "a", 0, 0), point("cpu", "a", 10, 1.5), point("cpu", "b", 5, 1)],
  );
  if (plot === undefined) throw new Error("there is no plot");
  expect(drawnLines(plot, { width: 100, height: 50 })).toEqual({
    most: 2,
    from: 0,
    paths: ["M0,50L100,12.5", "M50,25"],
  });
});

it("goes up to a power of two in bytes", () => {
  const points = [{ ...point("memory", "a", 0, 8_500_000), unit: "bytes" }];
  const [plot] = withPoints([], points);
  expect(plot === undefined ? 0 : drawnLines(plot, { width: 1, height: 1 }).most).toBe(2 ** 24);
});

it.each([
  [0, "cores", "0"],
  [0.0125, "cores", "0.0125"],
  [1234, "requests", "1.23 k"],
  [33_554_432, "bytes", "32 Mi"],
  [5e15, "bytes", "4550 Ti"],
])("%s %s is %s", (value, unit, expected) => {
  expect(amountText(value, unit)).toBe(expected);
});
