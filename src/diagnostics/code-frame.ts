import type { SourceRange } from "./source-range.ts";

const tabWidth = 2;

/** Draws the excerpt of a range with line numbers and a marker under the place. */
export function codeFrame(source: SourceRange): readonly string[] {
  const { excerpt, start, end } = source;
  if (excerpt === undefined || excerpt.lines.length === 0) return [];
  const gutter = String(excerpt.firstLine + excerpt.lines.length - 1).length;
  const frame: string[] = [];
  for (const [index, text] of excerpt.lines.entries()) {
    const line = excerpt.firstLine + index;
    const marked = line === start.line;
    frame.push(
      `${marked ? ">" : " "} ${String(line).padStart(gutter)} | ${expandTabs(text)}`.trimEnd(),
    );
    if (marked) {
      const before = expandTabs(text.slice(0, start.column - 1)).length;
      const width =
        end !== undefined && end.line === line ? Math.max(1, end.column - start.column) : 1;
      frame.push(`  ${" ".repeat(gutter)} | ${" ".repeat(before)}${"^".repeat(width)}`);
    }
  }
  return frame;
}

function expandTabs(text: string): string {
  return text.replaceAll("\t", " ".repeat(tabWidth));
}
