import { describeRefusal } from "../../apply/index.ts";
import type { WriteTrouble } from "../../bundles/index.ts";
import type { DiagnosticError } from "../../diagnostics/index.ts";
import type { HistoryObject } from "../../inventory/index.ts";

/** What went wrong and what was done while one bundle was looked at. */
export class PassNotes {
  readonly #masked: (text: string) => string;
  readonly #troubles = new Map<string, WriteTrouble>();
  #changes: readonly HistoryObject[] = [];
  /** How many of these the last look knew of. */
  #seenChanges = 0;
  #report: (() => void) | undefined;

  /** Takes what makes a text fit to be shown. */
  constructor(masked: (text: string) => string) {
    this.#masked = masked;
  }

  get troubles(): readonly WriteTrouble[] {
    return [...this.#troubles.values()];
  }

  /** What was done since the status was last written. */
  get changes(): readonly HistoryObject[] {
    return this.#changes;
  }

  troubleOf(resource: string): WriteTrouble | undefined {
    return this.#troubles.get(resource);
  }

  trouble(resource: string, trouble: WriteTrouble): void {
    this.#troubles.set(resource, { ...trouble, message: this.#masked(trouble.message) });
  }

  /** What stood in the way of a step no longer does. */
  settled(resource: string): void {
    this.#troubles.delete(resource);
  }

  /** Takes note of what was done with an object, for the history. */
  changed(object: HistoryObject): void {
    this.#changes = [...this.#changes, object];
  }

  /** A status is computed from what is known now. */
  look(): void {
    this.#seenChanges = this.#changes.length;
  }

  /** The status of the last look was written: what was done until then stands in its history. */
  wroteStatus(): void {
    this.#changes = this.#changes.slice(this.#seenChanges);
    this.#seenChanges = 0;
  }

  /** Tells of a step that is still tried again, before it comes to an end. */
  onRetry(resource: string): (cause: DiagnosticError) => void {
    return (cause) => {
      const message = describeRefusal(cause, { sent: undefined, live: undefined });
      this.trouble(resource, { isRetried: true, message });
      this.#report?.();
    };
  }

  /** Waits for steps; what holds them up for long is reported while they go on. */
  async reporting(steps: Promise<unknown>, report: () => Promise<void>): Promise<void> {
    let last = Promise.resolve();
    this.#report = () => {
      last = last.then(report);
      // Whoever waits for the steps hears of it, too.
      last.catch(() => undefined);
    };
    try {
      await steps;
    } finally {
      this.#report = undefined;
      await last;
    }
  }
}
