import type { ElementIterator, Value } from "./value.ts";

/** Iterates over elements that nobody can change meanwhile. */
export class ArrayIterator implements ElementIterator {
  readonly #items: readonly Value[];
  #index = 0;

  constructor(items: readonly Value[]) {
    this.#items = items;
  }

  next(): Value | undefined {
    return this.#items[this.#index++];
  }

  done(): void {}
}
