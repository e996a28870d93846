/** An expression as the parser reads it, and where it was written otherwise. */
export interface MarkedText {
  readonly text: string;
  /** The marks of optional items, written as `!`. Each is taken away when its item is found. */
  readonly positions: Set<number>;
  /** The types of objects, left out before the braces that stand here. */
  readonly messages: ReadonlyMap<number, string>;
}

const tokens =
  /\s+|\/\/[^\n]*|[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|[\w.]+|[\s\S]/g;

/**
 * The parser knows `a[?i]` but not `[?a]` and `{?k: v}`. A mark of these is written as a negation,
 * which stands at the same place, has the same length and holds what follows together. Objects of a
 * type, `Object.spec{a: 1}`, are written as maps.
 */
export function markOptionals(text: string): MarkedText {
  const positions = new Set<number>();
  const messages = new Map<number, string>();
  if (!/\?|[\w.]\s*\{/.test(text)) return { text, positions, messages };
  let marked = "";
  let before = "";
  let isLiteral = false;
  for (const [token] of text.matchAll(tokens)) {
    const isSpace = /^(?:\s|\/\/)/.test(token);
    const isMark =
      token === "?" && (before === "{" || before === "," || (before === "[" && isLiteral));
    if (isMark) positions.add(marked.length);
    if (token === "{" && isTypeName(before)) {
      const start = marked.lastIndexOf(before);
      marked = `${marked.slice(0, start)}${" ".repeat(marked.length - start)}`;
      messages.set(marked.length, before);
    }
    marked += isMark ? "!" : token;
    if (isSpace) continue;
    // A bracket after a value is an index.
    if (token === "[") isLiteral = !/[\w)\]}"'.]$/.test(before) || before === "in";
    before = token;
  }
  return { text: marked, positions, messages };
}

function isTypeName(token: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(token) && token !== "in";
}
