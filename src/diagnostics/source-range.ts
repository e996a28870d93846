import { spellOut } from "./safe-text.ts";

/** A place in a text; line and column count from 1, columns in UTF-16 units as editors do. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** The lines around a place, kept with it so that a frame can be drawn after the text is gone. */
export interface CodeExcerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
}

export interface SourceRange {
  /** The path as the user gave it, or `<stdin>`. */
  readonly file: string;
  readonly start: SourcePosition;
  readonly end?: SourcePosition | undefined;
  readonly excerpt?: CodeExcerpt | undefined;
}

const contextLines = 2;
const longestExcerptLine = 400;

/** Takes the lines around `line` out of a text without splitting all of it. */
export function excerptOf(text: string, line: number): CodeExcerpt {
  const firstLine = Math.max(1, line - contextLines);
  const lines: string[] = [];
  let offset = 0;
  for (let current = 1; current <= line + contextLines && offset <= text.length; current++) {
    const newline = text.indexOf("\n", offset);
    const end = newline === -1 ? text.length : newline;
    if (current >= firstLine) {
      lines.push(text.slice(offset, Math.min(end, offset + longestExcerptLine)).replace(/\r$/, ""));
    }
    offset = end + 1;
  }
  return { firstLine, lines };
}

/** `file:line:column`, the form that terminals and editors make clickable. */
export function formatPosition(source: SourceRange): string {
  return formatLocation({ file: source.file, ...source.start });
}

/** The same of a place without its excerpt. A name with line ends in it stays on one line. */
export function formatLocation({
  file,
  line,
  column,
}: {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}): string {
  return `${file.replaceAll(/[\n\t]/g, spellOut)}:${line}:${column}`;
}
