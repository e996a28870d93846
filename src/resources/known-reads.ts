/** A text that a program gave a resource and then read from it. */
export interface KnownRead {
  readonly resource: string;
  readonly path: readonly (string | number)[];
}

/**
 * Texts that identify a resource, which the program set itself and read back. Such a text cannot
 * carry its origin with it; but where the very same text is stored in another resource after it was
 * read, that resource refers to the first.
 */
export class KnownReads {
  readonly #byText = new Map<string, KnownRead>();

  note(text: string, read: KnownRead): void {
    if (text !== "" && !this.#byText.has(text)) this.#byText.set(text, read);
  }

  find(text: string): KnownRead | undefined {
    return this.#byText.get(text);
  }
}
