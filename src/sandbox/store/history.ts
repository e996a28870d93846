import type { StoredObject } from "./stored-object.ts";

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** One write, as watchers see it. */
export interface Change {
  readonly type: ChangeType;
  readonly revision: number;
  readonly resource: string;
  readonly stored: StoredObject;
  readonly previous: StoredObject | undefined;
}

const mostChanges = 20_000;

/** The latest changes, oldest first; what is older is forgotten and answered with 410 Gone. */
export class History {
  #changes: Change[] = [];
  #compactedRevision: number;

  constructor(revision: number) {
    this.#compactedRevision = revision;
  }

  /** Changes up to and including this revision are forgotten. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  add(change: Change): void {
    this.#changes.push(change);
    // Cut in large steps: dropping the first element of an array one by one is quadratic.
    if (this.#changes.length > mostChanges * 2) {
      this.compact(this.#changes[mostChanges - 1]?.revision ?? 0);
    }
  }

  compact(revision: number): void {
    if (revision <= this.#compactedRevision) return;
    this.#compactedRevision = revision;
    this.#changes = this.#changes.slice(this.#indexAfter(revision));
  }

  /** Changes after a revision, in order. */
  since(revision: number): readonly Change[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
