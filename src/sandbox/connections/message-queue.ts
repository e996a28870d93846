import type { MessageSocket } from "../../cluster/index.ts";

/** Messages that wait for their one reader. */
export class MessageQueue {
  readonly #waiting: { readonly message: Uint8Array; readonly taken: () => void }[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  /** Resolves when the message was taken, or when nobody will take it. */
  push(message: Uint8Array): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ message, taken: resolve });
      this.#wake?.();
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          next.taken();
          yield next.message;
        } else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#isEnded = true;
      for (const { taken } of this.#waiting.splice(0)) taken();
    }
  }
}

/** Two ends of a socket within this process: what one sends, the other receives. */
export function socketPair(protocol: string): readonly [MessageSocket, MessageSocket] {
  const there = new MessageQueue();
  const back = new MessageQueue();
  const close = (): void => {
    there.end();
    back.end();
  };
  const end = (from: MessageQueue, to: MessageQueue): MessageSocket => ({
    protocol,
    send: (message) => to.push(message),
    messages: from.read(),
    close,
  });
  return [end(back, there), end(there, back)];
}
