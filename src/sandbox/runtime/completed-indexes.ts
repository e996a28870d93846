/** Reads `0,2-4` into numbers. */
export function parseIndexes(text: string | undefined): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    if (part === "") continue;
    const [first = 0, last = first] = part.split("-").map(Number);
    for (let index = first; index <= last; index++) indexes.add(index);
  }
  return indexes;
}

/** Writes numbers as `0,2-4`: two in a row as they are, more as a range. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((left, right) => left - right);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] ?? 0;
    let last = first;
    while (sorted[at + 1] === last + 1) {
      last++;
      at++;
    }
    at++;
    if (last === first) parts.push(String(first));
    else parts.push(last === first + 1 ? `${first},${last}` : `${first}-${last}`);
  }
  return parts.join(",");
}
