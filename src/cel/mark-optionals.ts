/** An expression in which the marks of optional items are written as `!`, and where they are. */
export interface MarkedText {
  readonly text: string;
  /** Each is taken away when its item is found. */
  readonly positions: Set<number>;
}

const tokens =
  /\s+|\/\/[^\n]*|[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|[\w.]+|[\s\S]/g;

/**
 * The parser knows `a[?i]` but not `[?a]` and `{?k: v}`. A mark of these is written as a negation,
 * which stands at the same place, has the same length and holds what follows together.
 */
export function markOptionals(text: string): MarkedText {
  const positions = new Set<number>();
  if (!text.includes("?")) return { text, positions };
  let marked = "";
  let before = "";
  let isLiteral = false;
  for (const [token] of text.matchAll(tokens)) {
    const isSpace = /^(?:\s|\/\/)/.test(token);
    const isMark =
      token === "?" && (before === "{" || before === "," || (before === "[" && isLiteral));
    if (isMark) positions.add(marked.length);
    marked += isMark ? "!" : token;
    if (isSpace) continue;
    // A bracket after a value is an index.
    if (token === "[") isLiteral = !/[\w)\]}"'.]$/.test(before) || before === "in";
    before = token;
  }
  return { text: marked, positions };
}
