/**
 * Property names in expressions. Names that are no identifiers are written with `__dash__` and the
 * like, and words of the language with underscores around them; a name that still is no identifier
 * cannot be reached.
 */
export function escapePropertyName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  const escaped = name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
  return /^[a-zA-Z_]\w*$/.test(escaped) ? escaped : undefined;
}

export function isReservedWord(name: string): boolean {
  return reserved.has(name);
}

const reserved: ReadonlySet<string> = new Set([
  ..."true false null in as break const continue else for function if import let loop".split(" "),
  ..."package namespace return var void while".split(" "),
]);
