/** The few forms of ASN.1's distinguished encoding that a certificate needs. */
export const der = {
  sequence: (...parts: readonly Buffer[]) => element(0x30, Buffer.concat(parts)),
  set: (...parts: readonly Buffer[]) => element(0x31, Buffer.concat(parts)),
  integer: (bytes: Buffer) => element(0x02, positiveInteger(bytes)),
  boolean: (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0])),
  bits: (bytes: Buffer, unused = 0) => element(0x03, Buffer.concat([Buffer.from([unused]), bytes])),
  octets: (bytes: Buffer) => element(0x04, bytes),
  text: (value: string) => element(0x0c, Buffer.from(value)),
  time: (value: Date) =>
    element(0x18, Buffer.from(`${value.toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z`)),
  /** A field with a number instead of a type of its own, around another element. */
  explicit: (tag: number, part: Buffer) => element(0xa0 | tag, part),
  /** A field with a number that stands for its type. */
  implicit: (tag: number, bytes: Buffer) => element(0x80 | tag, bytes),
  identifier: (dotted: string) => element(0x06, encodeIdentifier(dotted)),
};

const zero = Buffer.from([0]);

/** As few bytes as can be, and one more where the first would make it negative: readers insist on it. */
function positiveInteger(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first === -1 ? zero : bytes.subarray(first);
  return (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([zero, shortest]) : shortest;
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function encodeIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return Buffer.from([first * 40 + second, ...rest.flatMap(base128)]);
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
