import { asByteText, type ByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { holds } from "../operations/compare.ts";
import { typeName } from "../operations/type-name.ts";
import { quote } from "../quote.ts";
import { isInt } from "./int.ts";
import { sliceBytes } from "./slice-items.ts";
import {
  StarlarkObject,
  type ComparisonOperator,
  type ElementIterator,
  type HashKey,
  type Value,
} from "./value.ts";

/** A sequence of bytes that is not meant as text. */
export class StarlarkBytes extends StarlarkObject {
  readonly typeName = "bytes";
  readonly bytes: ByteText;

  constructor(bytes: ByteText) {
    super();
    this.bytes = bytes;
  }

  show(): string {
    return `b${quote(this.bytes)}`;
  }

  override get isTruthy(): boolean {
    return this.bytes !== "";
  }

  override hashKey(): HashKey {
    return `\u0101${this.bytes}`;
  }

  override get length(): number {
    return this.bytes.length;
  }

  override get isIndexable(): boolean {
    return true;
  }

  override elementAt(index: number): Value {
    return new StarlarkBytes(asByteText(this.bytes.charAt(index)));
  }

  override slice(start: number, end: number, step: number): Value {
    return new StarlarkBytes(asByteText(sliceBytes(this.bytes, start, end, step)));
  }

  override contains(element: Value): boolean {
    if (element instanceof StarlarkBytes) return this.bytes.includes(element.bytes);
    if (!isInt(element)) {
      raise(`'in bytes' requires bytes or int as left operand, not ${typeName(element)}`);
    }
    if (typeof element === "bigint" || element < 0 || element > 255) {
      raise(`int in bytes: ${element} out of range (want value in unsigned 8-bit range)`);
    }
    return this.bytes.includes(String.fromCharCode(element));
  }

  override compare(operator: ComparisonOperator, other: StarlarkObject): boolean | undefined {
    if (!(other instanceof StarlarkBytes)) return undefined;
    return holds(operator, this.bytes < other.bytes ? -1 : this.bytes > other.bytes ? 1 : 0);
  }
}

/** What `b"…".elems()` gives: the bytes as ints. */
export class BytesElements extends StarlarkObject {
  readonly typeName = "bytes.elems";
  readonly #bytes: StarlarkBytes;

  constructor(bytes: StarlarkBytes) {
    super();
    this.#bytes = bytes;
  }

  show(): string {
    return `${this.#bytes.show()}.elems()`;
  }

  override hashKey(): HashKey {
    raise(`unhashable: ${this.typeName}`);
  }

  override iterate(): ElementIterator {
    const { bytes } = this.#bytes;
    let index = 0;
    return {
      next: () => (index < bytes.length ? bytes.charCodeAt(index++) : undefined),
      done: () => undefined,
    };
  }
}
