/**
 * Starlark strings are sequences of bytes, by convention UTF-8: `len("é")` is 2 and a slice may cut
 * a character in two. A JavaScript string whose characters are those bytes keeps every index,
 * comparison and search native; for ASCII, which nearly all text is, it is the text itself.
 */
declare const byteText: unique symbol;

/** One character from 0 to 255 per byte. The brand keeps it from being mixed up with text. */
export type ByteText = string & { readonly [byteText]: true };

export function encodeText(text: string): ByteText {
  if (isAscii(text)) return text as ByteText;
  return Buffer.from(text, "utf8").toString("latin1") as ByteText;
}

/** Bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

/** Declares that a string made of byte texts and ASCII is one itself. */
export function asByteText(bytes: string): ByteText {
  return bytes as ByteText;
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

export const replacementRune = 0xfffd;

/** The code point at a byte, and how many bytes it takes; U+FFFD and one byte where it is broken. */
export interface Rune {
  readonly rune: number;
  readonly size: number;
}

const brokenRune: Rune = { rune: replacementRune, size: 1 };

export function runeAt(bytes: string, index: number): Rune {
  const first = bytes.charCodeAt(index);
  if (first < 0x80) return { rune: first, size: 1 };
  if (first < 0xc2 || first > 0xf4) return brokenRune;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (index + size > bytes.length) return brokenRune;
  let rune = first & (0xff >> (size + 1));
  for (let offset = 1; offset < size; offset++) {
    const next = bytes.charCodeAt(index + offset);
    if ((next & 0xc0) !== 0x80) return brokenRune;
    rune = (rune << 6) | (next & 0x3f);
  }
  const isOverlong = (size === 3 && rune < 0x800) || (size === 4 && rune < 0x10000);
  const isSurrogate = rune >= 0xd800 && rune < 0xe000;
  return isOverlong || isSurrogate || rune > 0x10ffff ? brokenRune : { rune, size };
}

/** The code point that ends before a byte. */
export function runeBefore(bytes: string, end: number): Rune {
  for (let size = 1; size <= 4 && size <= end; size++) {
    if (size > 1 && bytes.charCodeAt(end - size) < 0x80) break;
    const found = runeAt(bytes, end - size);
    if (found.size === size && found.rune !== replacementRune) return found;
    if (found.size === size && size === 3) return found;
  }
  return brokenRune;
}

export function runesOf(bytes: string): number[] {
  const runes: number[] = [];
  for (let index = 0; index < bytes.length;) {
    const { rune, size } = runeAt(bytes, index);
    runes.push(rune);
    index += size;
  }
  return runes;
}

export function encodeRune(rune: number): ByteText {
  if (rune < 0x80) return asByteText(String.fromCharCode(rune));
  const isValid = rune <= 0x10ffff && (rune < 0xd800 || rune >= 0xe000);
  return encodeText(String.fromCodePoint(isValid ? rune : replacementRune));
}

/** Applies a mapping of code points; broken bytes come out as U+FFFD. */
export function mapRunes(bytes: string, map: (rune: number, index: number) => number): ByteText {
  let result = "";
  for (let index = 0; index < bytes.length;) {
    const { rune, size } = runeAt(bytes, index);
    result += encodeRune(map(rune, index));
    index += size;
  }
  return asByteText(result);
}
