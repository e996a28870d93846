/** A message that ends too soon or holds what no encoder writes. */
export class WireError extends Error {
  override readonly name = "WireError";
}

export type WireValue =
  | { readonly kind: "varint"; readonly value: bigint }
  | { readonly kind: "fixed"; readonly bytes: Uint8Array }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

/** The fields of one protobuf message, in the order they were written. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new WireReader(bytes);
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    yield { number: tag >>> 3, value: readValue(reader, tag & 7) };
  }
}

function readValue(reader: WireReader, wireType: number): WireValue {
  switch (wireType) {
    case 0:
      return { kind: "varint", value: reader.varint() };
    case 1:
      return { kind: "fixed", bytes: reader.take(8) };
    case 2:
      return { kind: "bytes", bytes: reader.take(Number(reader.varint())) };
    case 5:
      return { kind: "fixed", bytes: reader.take(4) };
    default:
      throw new WireError(`proto: illegal wireType ${wireType}`);
  }
}

/** The values of a packed list of numbers. */
export function readPacked(bytes: Uint8Array): readonly bigint[] {
  const reader = new WireReader(bytes);
  const values: bigint[] = [];
  while (!reader.isAtEnd) values.push(reader.varint());
  return values;
}

class WireReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** Sixty-four bits, signed, as every integer of the Kubernetes types is written. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#offset++];
      if (byte === undefined) throw new WireError("unexpected EOF");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new WireError("proto: integer overflow");
  }

  take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (length < 0 || end > this.#bytes.length) throw new WireError("unexpected EOF");
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}
