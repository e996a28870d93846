/** A part of a YAML stream, from its `---` line to before the next one. */
export interface DocumentSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a stream at its document markers without parsing it, so that a broken document does not hide
 * the ones after it. YAML makes this safe: a marker at the start of a line ends a document even
 * inside a block or quoted scalar.
 */
export function* splitDocuments(text: string): Generator<DocumentSpan, undefined> {
  let start = 0;
  for (const boundary of boundaries(text)) {
    // Directives belong to the document that follows them.
    if (boundary > start && !isOnlyDirectives(text, start, boundary)) {
      yield { start, end: boundary };
      start = boundary;
    }
  }
  if (start < text.length) yield { start, end: text.length };
  return undefined;
}

function* boundaries(text: string): Generator<number> {
  let line = 0;
  while (line < text.length) {
    const marker = text[line];
    if ((marker === "-" || marker === ".") && isMarkerLine(text, line, marker)) {
      yield marker === "-" ? line : afterLine(text, line);
    }
    line = nextCandidate(text, line);
  }
}

/** The start of the next line that begins with `-` or `.`; native search keeps this fast. */
function nextCandidate(text: string, from: number): number {
  candidateLine.lastIndex = from;
  const match = candidateLine.exec(text);
  return match === null ? text.length : match.index + match[0].length - 3;
}

const candidateLine = /[\n\r](?:---|\.\.\.)/g;

function isMarkerLine(text: string, line: number, marker: string): boolean {
  if (text[line + 1] !== marker || text[line + 2] !== marker) return false;
  const after = text[line + 3];
  return after === undefined || after === " " || after === "\t" || after === "\n" || after === "\r";
}

function afterLine(text: string, line: number): number {
  const newline = text.indexOf("\n", line);
  return newline === -1 ? text.length : newline + 1;
}

function isOnlyDirectives(text: string, start: number, end: number): boolean {
  const first = text[start];
  // Only what starts before any marker can be directives; a quick look spares the common case.
  if (first === "-") return false;
  const lines = text.slice(start, end).split(/\r?\n/);
  return (
    lines.some((line) => line.startsWith("%")) &&
    lines.every((line) => line.startsWith("%") || /^\s*(?:#.*)?$/.test(line))
  );
}
