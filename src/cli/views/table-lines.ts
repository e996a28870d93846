import { safeLine } from "../../diagnostics/index.ts";

/** Rows of cells as lines with aligned columns; the last column is as long as it is. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  const lines = rows.map((row) => row.map(safeLine));
  for (const row of lines)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return lines.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
