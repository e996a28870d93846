export interface BarPlot {
  readonly title: string;
  readonly groups: readonly {
    readonly name: string;
    readonly bars: readonly { readonly name: string; readonly value: number }[];
  }[];
}

const size = { width: 640, left: 200, right: 60, top: 40, bar: 14, gap: 22 };
const colors = ["#8c959f", "#54aeff", "#1f6feb", "#2da44e", "#bf3989", "#9a6700", "#cf222e"];

/** Horizontal bars in groups as SVG, each with its name and figure; one scale for all. */
export function barPlot({ title, groups }: BarPlot): string {
  const { width, left, right, top, bar, gap } = size;
  const most = Math.max(Number.EPSILON, ...groups.flatMap(({ bars }) => bars.map((b) => b.value)));
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  const lines: string[] = [];
  let y = top;
  for (const { name, bars } of groups) {
    lines.push(`<text x="8" y="${y + bar - 3}" font-weight="bold">${name}</text>`);
    y += bar + 4;
    for (const each of bars) {
      const length = (each.value / most) * (width - left - right);
      const color = colors[names.indexOf(each.name) % colors.length] ?? "black";
      lines.push(
        `<text x="${left - 6}" y="${y + bar - 3}" text-anchor="end">${each.name}</text>`,
        `<rect x="${left}" y="${y}" width="${Math.max(1, length).toFixed(1)}" height="${bar - 3}" fill="${color}"/>`,
        `<text x="${(left + length + 4).toFixed(1)}" y="${y + bar - 3}">${each.value.toFixed(2)}</text>`,
      );
      y += bar;
    }
    y += gap - bar;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${y}" fill="white"/>`,
    `<text x="8" y="20" font-size="14">${title}</text>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}
