/** Classes and case mappings of code points, one to one as Go's `unicode` package has them. */

export function isLetter(rune: number): boolean {
  if (rune < 0x80) return (rune >= 97 && rune <= 122) || (rune >= 65 && rune <= 90);
  return /^\p{L}$/u.test(String.fromCodePoint(rune));
}

export function isDecimalDigit(rune: number): boolean {
  if (rune < 0x80) return rune >= 48 && rune <= 57;
  return /^\p{Nd}$/u.test(String.fromCodePoint(rune));
}

export function isSpace(rune: number): boolean {
  if (rune < 0x80) return rune === 32 || (rune >= 9 && rune <= 13);
  return /^\p{White_Space}$/u.test(String.fromCodePoint(rune));
}

export function isLower(rune: number): boolean {
  return /^\p{Ll}$/u.test(String.fromCodePoint(rune));
}

export function isUpper(rune: number): boolean {
  return /^\p{Lu}$/u.test(String.fromCodePoint(rune));
}

export function isTitle(rune: number): boolean {
  return rune >= 0x80 && /^\p{Lt}$/u.test(String.fromCodePoint(rune));
}

/** Whether a literal shows the character itself rather than an escape. */
export function isPrintable(rune: number): boolean {
  if (rune < 0x7f) return rune >= 32;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(rune));
}

export function toLower(rune: number): number {
  if (rune < 0x80) return rune >= 65 && rune <= 90 ? rune + 32 : rune;
  return rune === 0x130 ? 0x69 : single(String.fromCodePoint(rune).toLowerCase(), rune);
}

export function toUpper(rune: number): number {
  if (rune < 0x80) return rune >= 97 && rune <= 122 ? rune - 32 : rune;
  return single(String.fromCodePoint(rune).toUpperCase(), rune);
}

/** Only the digraphs of Croatian have a title case of their own. */
export function toTitle(rune: number): number {
  if (rune >= 0x1c4 && rune <= 0x1cc) return 0x1c5 + Math.floor((rune - 0x1c4) / 3) * 3;
  if (rune >= 0x1f1 && rune <= 0x1f3) return 0x1f2;
  return toUpper(rune);
}

/** Whether another code point differs from this one only by case. */
export function isCased(rune: number): boolean {
  return toLower(rune) !== rune || toUpper(rune) !== rune || rune === 0xdf || rune === 0x1e9e;
}

/** Mappings to several characters, as of `ß`, do not count: Go maps one to one. */
function single(mapped: string, original: number): number {
  const first = mapped.codePointAt(0);
  return first !== undefined && String.fromCodePoint(first) === mapped ? first : original;
}
