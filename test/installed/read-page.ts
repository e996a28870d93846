/** What stands in the blocks of a page, in their order. */
export type PageStep =
  /** A block whose language is followed by a path: a file that the reader writes. */
  | { readonly kind: "file"; readonly path: string; readonly content: string }
  /** A line with a dollar, and what is printed according to the page. */
  | { readonly kind: "command"; readonly line: string; readonly output: string }
  /** A line of shell, of which the page does not say what it prints; the reader agrees to what is asked. */
  | { readonly kind: "line"; readonly line: string }
  /** A block that nobody can type there. */
  | { readonly kind: "skipped"; readonly reason: string };

const block = /(?:^<!-- not run: ([^\n]*) -->\n\n)?^```(\w+)(?: (\S+))?\n(.*?)^```$/gms;

/** Reads the files and commands of a Markdown page; other blocks are for reading only. */
export function readPage(markdown: string): readonly PageStep[] {
  return [...markdown.matchAll(block)].flatMap(
    ([, reason, language, path, text = ""]): readonly PageStep[] => {
      if (reason !== undefined) return [{ kind: "skipped", reason }];
      if (path !== undefined) return [{ kind: "file", path, content: text }];
      if (language === "sh") return linesOf(text);
      return language === "console" ? commandsOf(text) : [];
    },
  );
}

function linesOf(text: string): readonly PageStep[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => ({ kind: "line", line }));
}

function commandsOf(text: string): readonly PageStep[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const end = endOfCommand(each);
      return { kind: "command", line: each.slice(0, end), output: each.slice(end + 1) };
    });
}

/** A command goes on in the next line after a backslash, as in any shell. */
function endOfCommand(text: string): number {
  const [whole = text] = /^(?:.*\\\n)*.*/.exec(text) ?? [];
  return whole.length;
}

/**
 * Where what was printed departs from what a page says; undefined when it does not. An ellipsis on a
 * line of its own stands for any lines, one within a line for anything in it. What ends a page's
 * output without an ellipsis is all there is.
 */
export function departure(printed: string, said: string): string | undefined {
  const lines = printed.trimEnd().split("\n");
  const wanted = said.trimEnd() === "" ? ["…"] : said.trimEnd().split("\n");
  let at = 0;
  let mayPass = false;
  for (const line of wanted) {
    if (line.trim() === "…") {
      mayPass = true;
      continue;
    }
    const found = lines.findIndex((each, index) => index >= at && matches(each, line));
    if (found === -1 || (found > at && !mayPass))
      return `the page says ${JSON.stringify(line)}, printed is ${JSON.stringify(lines[at] ?? "")}`;
    at = found + 1;
    mayPass = false;
  }
  return mayPass || at >= lines.length || printed.trim() === ""
    ? undefined
    : `the page does not say ${JSON.stringify(lines[at])}`;
}

function matches(printed: string, said: string): boolean {
  const pieces = said.split("…").map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`).test(printed.trimEnd());
}
