/** Writes the fields of one protobuf message. */
export class WireWriter {
  #parts: Uint8Array[] = [];

  varint(number: number, value: bigint): void {
    this.#parts.push(varintBytes(BigInt(number << 3)), varintBytes(BigInt.asUintN(64, value)));
  }

  double(number: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#parts.push(varintBytes(BigInt((number << 3) | 1)), bytes);
  }

  text(number: number, value: string): void {
    this.#delimited(number, Buffer.from(value, "utf8"));
  }

  message(number: number, write: (inner: WireWriter) => void): void {
    const inner = new WireWriter();
    write(inner);
    this.#delimited(number, inner.bytes());
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  #delimited(number: number, bytes: Uint8Array): void {
    this.#parts.push(
      varintBytes(BigInt((number << 3) | 2)),
      varintBytes(BigInt(bytes.length)),
      bytes,
    );
  }
}

function varintBytes(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
