import type { StatsPoint } from "../../src/dashboard/stats-view.ts";

export interface Plot {
  readonly name: string;
  readonly unit: string;
  readonly lines: readonly PlotLine[];
}

export interface PlotLine {
  readonly name: string;
  readonly points: readonly { readonly timeMs: number; readonly value: number }[];
}

const mostPoints = 600;

/** The plots with what was measured now; a measurement that is known is not told twice. */
export function withPoints(plots: readonly Plot[], points: readonly StatsPoint[]): readonly Plot[] {
  const keyOf = ({ plot, unit }: StatsPoint): string => `${plot} ${unit}`;
  const fresh = Map.groupBy(points, keyOf);
  const kept = plots.map((plot) => withLines(plot, fresh.get(`${plot.name} ${plot.unit}`) ?? []));
  const known = new Set(plots.map(({ name, unit }) => `${name} ${unit}`));
  const added = [...fresh]
    .filter(([key]) => !known.has(key))
    .map(([, own]) =>
      withLines({ name: own[0]?.plot ?? "", unit: own[0]?.unit ?? "", lines: [] }, own),
    );
  return [...kept, ...added];
}

function withLines(plot: Plot, points: readonly StatsPoint[]): Plot {
  const fresh = Map.groupBy(points, ({ line }) => line);
  const names = [...new Set([...plot.lines.map(({ name }) => name), ...fresh.keys()])];
  return {
    ...plot,
    lines: names.map((name) => {
      const before = plot.lines.find((line) => line.name === name)?.points ?? [];
      const last = before.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY;
      const added = (fresh.get(name) ?? [])
        .filter(({ timeMs }) => timeMs > last)
        .map(({ timeMs, value }) => ({ timeMs, value }));
      return { name, points: [...before, ...added].slice(-mostPoints) };
    }),
  };
}

/** Where the points of a line are drawn in a box; the box holds all lines, from zero upwards. */
export function drawnLines(
  { lines, unit }: Plot,
  { width, height }: { readonly width: number; readonly height: number },
): { readonly most: number; readonly from: number; readonly paths: readonly string[] } {
  const all = lines.flatMap(({ points }) => points);
  const from = Math.min(...all.map(({ timeMs }) => timeMs));
  const to = Math.max(...all.map(({ timeMs }) => timeMs));
  const most = roundUp(Math.max(0, ...all.map(({ value }) => value)), unit);
  const x = (timeMs: number): number =>
    to === from ? width : round(((timeMs - from) / (to - from)) * width);
  const y = (value: number): number => round(height - (most === 0 ? 0 : (value / most) * height));
  return {
    most,
    from,
    paths: lines.map(({ points }) =>
      points
        .map(({ timeMs, value }, index) => `${index === 0 ? "M" : "L"}${x(timeMs)},${y(value)}`)
        .join(""),
    ),
  };
}

/** The next number that is easy to read: 1, 2 or 5 with zeros; of bytes a power of two. */
function roundUp(value: number, unit: string): number {
  if (value <= 0) return 0;
  if (unit === "bytes") return 2 ** Math.ceil(Math.log2(value));
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number as people read it: `12.5 Mi`, `0.25`, `3 k`. */
export function amountText(value: number, unit: string): string {
  const [step, signs] =
    unit === "bytes" ? [1024, ["", " Ki", " Mi", " Gi", " Ti"]] : [1000, ["", " k", " M", " G"]];
  let left = value;
  let index = 0;
  while (Math.abs(left) >= step && index < signs.length - 1) {
    left /= step;
    index++;
  }
  return `${Number(left.toPrecision(3))}${signs[index] ?? ""}`;
}
