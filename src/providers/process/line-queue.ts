const mostWaiting = 10_000;

/** Holds lines between who sends and who reads them; a reader that is too slow is told what it missed. */
export class LineQueue implements AsyncIterable<unknown> {
  #items: unknown[] = [];
  #missed = 0;
  #end: { readonly error?: Error } | undefined;
  #wake: () => void = () => {};

  push(item: unknown): void {
    if (this.#items.length < mostWaiting) this.#items.push(item);
    else this.#missed += 1;
    this.#wake();
  }

  end(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    for (;;) {
      const items = this.#items;
      const missed = this.#missed;
      this.#items = [];
      this.#missed = 0;
      yield* items;
      if (missed > 0) yield { text: `… ${missed} lines came too fast and are left out` };
      if (this.#items.length > 0) continue;
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
