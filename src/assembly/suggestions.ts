import { nearest } from "../diagnostics/index.ts";

const mostComparisons = 500_000;

/** Finds what was likely meant. The work for all suggestions of one run together is bounded. */
export class Suggestions {
  #left = mostComparisons;

  /** The names nearest to a word, best first. */
  near(word: string, names: ReadonlySet<string>, most = 1): readonly string[] {
    const found: string[] = [];
    if (this.#left < names.size) return found;
    const candidates = new Set(names);
    while (found.length < most && this.#left >= candidates.size) {
      this.#left -= candidates.size;
      const name = nearest(word, candidates);
      if (name === undefined) break;
      candidates.delete(name);
      found.push(name);
    }
    return found;
  }
}

const mostLines = 50;

/** Some of many things, one a line; a flood is cut and counted. */
export function linesOf<Item>(items: readonly Item[], describe: (item: Item) => string): string {
  const shown = items.slice(0, mostLines).map((item) => `\n  ${describe(item)}`);
  const hidden = items.length - mostLines;
  return `${shown.join("")}${hidden > 0 ? `\n  … and ${hidden} more` : ""}`;
}
