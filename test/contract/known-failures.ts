/** Cells that fail today. Whoever mends one takes it out: a cell that does not fail as it is said here is red. */
export interface KnownFailure {
  /** What is wrong. */
  readonly wrong: string;
  /** How the cell fails for that reason. */
  readonly seen: RegExp;
  /** How long to wait for what never comes. */
  readonly patienceMs?: number;
}

export const knownFailures: Readonly<Record<string, KnownFailure>> = {};
