import { asByteText, encodeRune, replacementRune, runeAt, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { quote } from "../quote.ts";
import { StarlarkObject, type ElementIterator, type HashKey, type Value } from "./value.ts";

/** What `elems` and `elem_ords` of a string give: its bytes as strings or ints. */
export class StringElements extends StarlarkObject {
  readonly typeName = "string.elems";
  readonly #bytes: ByteText;
  readonly #asOrdinals: boolean;

  constructor(bytes: ByteText, asOrdinals: boolean) {
    super();
    this.#bytes = bytes;
    this.#asOrdinals = asOrdinals;
  }

  show(): string {
    return `${quote(this.#bytes)}.${this.#asOrdinals ? "elem_ords" : "elems"}()`;
  }

  override hashKey(): HashKey {
    raise(`unhashable: ${this.typeName}`);
  }

  override get length(): number {
    return this.#bytes.length;
  }

  override get isIndexable(): boolean {
    return true;
  }

  override elementAt(index: number): Value {
    if (this.#asOrdinals) return this.#bytes.charCodeAt(index);
    return asByteText(this.#bytes.charAt(index));
  }

  override iterate(): ElementIterator {
    let index = 0;
    return {
      next: () => (index < this.#bytes.length ? this.elementAt(index++) : undefined),
      done: () => undefined,
    };
  }
}

/** What `codepoints` and `codepoint_ords` of a string give: its characters as strings or ints. */
export class StringCodepoints extends StarlarkObject {
  readonly typeName = "string.codepoints";
  readonly #bytes: ByteText;
  readonly #asOrdinals: boolean;

  constructor(bytes: ByteText, asOrdinals: boolean) {
    super();
    this.#bytes = bytes;
    this.#asOrdinals = asOrdinals;
  }

  show(): string {
    return `${quote(this.#bytes)}.${this.#asOrdinals ? "codepoint_ords" : "codepoints"}()`;
  }

  override hashKey(): HashKey {
    raise(`unhashable: ${this.typeName}`);
  }

  override iterate(): ElementIterator {
    let index = 0;
    return {
      next: () => {
        if (index >= this.#bytes.length) return undefined;
        const { rune, size } = runeAt(this.#bytes, index);
        const from = index;
        index += size;
        if (this.#asOrdinals) return rune;
        if (rune === replacementRune) return encodeRune(rune);
        return asByteText(this.#bytes.slice(from, index));
      },
      done: () => undefined,
    };
  }
}
