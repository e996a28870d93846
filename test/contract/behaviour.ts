import type { Cell } from "./cell.ts";
import type { Outcome, ServerName, Way } from "./way-in.ts";

/** One row of the contract: it holds for every way in, but for those that have a reason. */
export interface Behaviour {
  readonly name: string;
  /** What is there, and what happens. */
  readonly given: string;
  /** What must come of it. */
  readonly must: string;
  readonly expect: (cell: Cell) => Promise<void>;
  /** Why it cannot apply to a way. */
  readonly notFor?: Readonly<Partial<Record<Way, string>>>;
  /** Why it cannot be shown on a server. */
  readonly notOn?: Readonly<Partial<Record<ServerName, string>>>;
  /** Tests elsewhere that show the same for a way. */
  readonly shownBy?: Readonly<Partial<Record<Way, ShownBy>>>;
}

export interface ShownBy {
  /** From the root of the repository. */
  readonly file: string;
  readonly test: string;
}

const shownOfText = 1_000;

/** Fails with what a run said, unless it went well. */
export function expectFine({ isFine, text }: Outcome): void {
  if (!isFine) throw new Error(`the run did not go well: ${shortened(text)}`);
}

/** Fails with what a run said, unless something is in it. */
export function expectReported({ text }: Outcome, what: RegExp): void {
  if (!what.test(text)) throw new Error(`${String(what)} is not reported: ${shortened(text)}`);
}

/** The status of an owner is at the beginning, the last words of a command are at the end. */
function shortened(text: string): string {
  return text.length <= 2 * shownOfText
    ? text
    : `${text.slice(0, shownOfText)} … ${text.slice(-shownOfText)}`;
}
