import type { PodLogLine } from "./dashboard-view.ts";

const batchMs = 50;
const mostWaiting = 5_000;

/** Puts lines that come one after the other together, so that a page is not told of each. */
export class LineBatch {
  readonly #send: (lines: readonly PodLogLine[]) => void;
  #waiting: PodLogLine[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (lines: readonly PodLogLine[]) => void) {
    this.#send = send;
  }

  /** Of more than can be shown at once only the last are sent. */
  add(lines: readonly PodLogLine[]): void {
    this.#waiting = [...this.#waiting, ...lines].slice(-mostWaiting);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const batch = this.#waiting;
      this.#waiting = [];
      this.#send(batch);
    }, batchMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
