/**
 * A Dockerfile that starts and copies from what was built, in place of the declared images that it
 * names. `built` has the built reference for each name that the Dockerfile may use.
 */
export function withBuiltBases(text: string, built: ReadonlyMap<string, string>): string {
  if (built.size === 0) return text;
  return text
    .split("\n")
    .map((line) => {
      if (/^\s*FROM\s/i.test(line)) return replaceWord(line, built);
      return /^\s*(?:COPY|ADD)\s/i.test(line)
        ? line.replace(/--from=(\S+)/, (all, name: string) =>
            built.has(name) ? `--from=${built.get(name) ?? ""}` : all,
          )
        : line;
    })
    .join("\n");
}

/** The image is the first word after FROM that is not a flag. */
function replaceWord(line: string, built: ReadonlyMap<string, string>): string {
  return line.replace(/^(\s*FROM\s+(?:--\S+\s+)*)(\S+)/i, (all, before: string, name: string) =>
    built.has(name) ? `${before}${built.get(name)}` : all,
  );
}
