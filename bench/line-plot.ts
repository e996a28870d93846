export interface LinePlot {
  readonly title: string;
  readonly x: readonly number[];
  readonly series: readonly { readonly name: string; readonly y: readonly number[] }[];
}

const size = { width: 640, height: 360, left: 56, right: 24, top: 40, bottom: 40 };
const colors = ["#1f6feb", "#2da44e", "#bf3989", "#9a6700"];

/** A plot of lines as SVG: axes from zero, a name at the end of each line. */
export function linePlot({ title, x, series }: LinePlot): string {
  const { width, height, left, right, top, bottom } = size;
  const mostX = Math.max(1, ...x);
  const mostY = Math.max(Number.EPSILON, ...series.flatMap(({ y }) => y));
  const atX = (value: number): number => left + (value / mostX) * (width - left - right);
  const atY = (value: number): number =>
    height - bottom - (value / mostY) * (height - top - bottom);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const lines = series.flatMap(({ name, y }, index) => {
    const color = colors[index % colors.length] ?? "black";
    const points = y.map((value, at) => `${atX(x[at] ?? 0).toFixed(1)},${atY(value).toFixed(1)}`);
    const end = atY(y.at(-1) ?? 0) - 6;
    return [
      `<polyline fill="none" stroke="${color}" stroke-width="2" points="${points.join(" ")}"/>`,
      ...points.map((point) => {
        const [cx, cy] = point.split(",");
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`;
      }),
      `<text x="${width - right}" y="${end.toFixed(1)}" text-anchor="end" fill="${color}">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${left}" y="20" font-size="14">${title}</text>`,
    ...ticks.flatMap((tick) => [
      `<line x1="${left}" x2="${width - right}" y1="${atY(tick * mostY)}" y2="${atY(tick * mostY)}" stroke="#ddd"/>`,
      `<text x="${left - 6}" y="${atY(tick * mostY) + 4}" text-anchor="end">${(tick * mostY).toFixed(1)}</text>`,
      `<text x="${atX(tick * mostX)}" y="${height - bottom + 18}" text-anchor="middle">${Math.round(tick * mostX)}</text>`,
    ]),
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}
