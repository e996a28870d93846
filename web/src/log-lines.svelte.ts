import type { LogLine } from "../../src/dashboard/dashboard-view.ts";

export interface NumberedLine extends LogLine {
  readonly number: number;
}

type Pattern =
  | { readonly kind: "valid"; readonly expression: RegExp | undefined }
  | { readonly kind: "invalid"; readonly why: string };

/** More than this is forgotten, the oldest first. */
const mostLines = 100_000;

/** The lines of a log that the page keeps. */
export class LogLines {
  all = $state.raw<readonly NumberedLine[]>([]);
  #next = 0;

  clear(): void {
    this.all = [];
  }

  add(lines: readonly LogLine[]): void {
    const numbered = lines.map((line) => ({ ...line, number: this.#next++ }));
    const all = [...this.all, ...numbered];
    this.all = all.length > mostLines ? all.slice(-mostLines) : all;
  }

  matching(expression: RegExp | undefined): readonly NumberedLine[] {
    if (expression === undefined) return this.all;
    return this.all.filter(({ text, pod }) => expression.test(text) || expression.test(pod));
  }

  pattern(search: string, isRegex: boolean): Pattern {
    if (search === "") return { kind: "valid", expression: undefined };
    const source = isRegex ? search : search.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    try {
      return { kind: "valid", expression: new RegExp(source, "i") };
    } catch {
      return { kind: "invalid", why: "this is no regular expression" };
    }
  }
}
