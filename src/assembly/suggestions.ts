import { nearest } from "../diagnostics/index.ts";

const mostComparisons = 500_000;

/** Finds what was likely meant. The work for all suggestions of one run together is bounded. */
export class Suggestions {
  #left = mostComparisons;

  /** The names nearest to a word, best first. */
  near(word: string, names: Iterable<string>, most = 1): readonly string[] {
    const candidates = new Set(names);
    const found: string[] = [];
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

/** Some of many texts, one a line; a flood is cut and counted. */
export function linesOf(texts: readonly string[], most = 20): string {
  const shown = texts.slice(0, most).map((text) => `\n  ${text}`);
  const hidden = texts.length - most;
  return `${shown.join("")}${hidden > 0 ? `\n  … and ${hidden} more` : ""}`;
}
