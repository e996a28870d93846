import type { PodLogLine } from "../../src/dashboard/dashboard-view.ts";
import { plainLog } from "../../src/diagnostics/log-text.ts";
import { isAtLeast, logLevel } from "../../src/events/log-level.ts";
import type { MessageLevel } from "../../src/events/run-event.ts";

export interface NumberedLine extends PodLogLine {
  readonly number: number;
  /** Without what is meant for terminals: what is searched. */
  readonly plain: string;
  readonly level: MessageLevel;
}

type Pattern =
  | { readonly kind: "valid"; readonly expression: RegExp | undefined }
  | { readonly kind: "invalid"; readonly why: string };

/** More than this is forgotten, the oldest first. */
const mostLines = 100_000;
/** So many more are kept before any are forgotten, so that not every line moves all others. */
const spareLines = 5_000;

/**
 * The lines of a log that the page keeps, and those of them that are shown. The lists are changed in place,
 * and a number tells that they were: a copy of a hundred thousand lines for each new one would be felt.
 */
export class LogLines {
  version = $state(0);
  #all: NumberedLine[] = [];
  #shown: NumberedLine[] = this.#all;
  #next = 0;
  #expression: RegExp | undefined;
  #least: MessageLevel = "debug";

  get count(): number {
    void this.version;
    return this.#all.length;
  }

  get shown(): readonly NumberedLine[] {
    void this.version;
    return this.#shown;
  }

  clear(): void {
    this.#all = [];
    this.#filterAll();
  }

  add(lines: readonly PodLogLine[]): void {
    const fresh = lines
      .map((line) => {
        const plain = plainLog(line.text);
        return { ...line, number: this.#next++, plain, level: logLevel(plain) };
      })
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
    const last = this.#all.at(-1);
    const isInOrder = last === undefined || last.time <= (fresh[0]?.time ?? "");
    // Containers tell their past one after the other.
    if (!isInOrder) this.#merge(fresh);
    else for (const line of fresh) this.#all.push(line);
    const isTooLong = this.#all.length > mostLines + spareLines;
    if (isTooLong) this.#all.splice(0, this.#all.length - mostLines);
    if (!isInOrder || isTooLong) this.#filterAll();
    else if (this.#shown !== this.#all)
      for (const line of fresh) if (this.#isShown(line)) this.#shown.push(line);
    this.version++;
  }

  /** Shows only lines of that importance that match. */
  filter(expression: RegExp | undefined, least: MessageLevel): void {
    this.#expression = expression;
    this.#least = least;
    this.#filterAll();
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

  #merge(fresh: readonly NumberedLine[]): void {
    const first = fresh[0]?.time ?? "";
    let place = this.#all.length;
    while (place > 0 && (this.#all[place - 1]?.time ?? "") > first) place--;
    const tail = [...this.#all.splice(place), ...fresh];
    tail.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.number - b.number));
    for (const line of tail) this.#all.push(line);
  }

  #filterAll(): void {
    const isAll = this.#expression === undefined && this.#least === "debug";
    this.#shown = isAll ? this.#all : this.#all.filter((line) => this.#isShown(line));
    this.version++;
  }

  #isShown({ plain, pod, level }: NumberedLine): boolean {
    const expression = this.#expression;
    return (
      isAtLeast(level, this.#least) &&
      (expression === undefined || expression.test(plain) || expression.test(pod))
    );
  }
}
