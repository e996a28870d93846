/**
 * Tells from its text whether a document may be a Secret. The document may be broken, so this errs
 * towards yes: the price is a code frame without values.
 */
export function looksSecret(text: string): boolean {
  return /\bSecret(?:List)?\b|\bstringData\b/.test(text);
}

const mask = "***";
const keyAndValue = /^(\s*(?:- +)*(?:[\w./-]+|"[\w./-]+"|'[\w./-]+')\s*:)(\s+)(\S.*)$/;
const keyAlone = /^\s*(?:- +)*(?:[\w./-]+|"[\w./-]+"|'[\w./-]+')\s*:\s*$/;
const shownKeys = /^\s*(?:- +)*["']?(?:apiVersion|kind|name|namespace|type)["']?\s*:/;
const shownValue = /^["']?[\w./-]{1,80}["']?,?$/;
const blockHeader = /^[|>][-+0-9]*$/;

/** A line of a document that may be a Secret: keys stay, values go, anything unclear goes whole. */
export function maskExcerptLine(line: string): string {
  if (/^(?:\s*|---|\.\.\.|\s*[{}[\],]+\s*)$/.test(line) || keyAlone.test(line)) return line;
  const pair = keyAndValue.exec(line);
  if (pair === null) return `${/^\s*/.exec(line)?.[0] ?? ""}${mask}`;
  const [, key = "", gap = "", value = ""] = pair;
  if (blockHeader.test(value) || /^[{[]$/.test(value)) return line;
  return shownKeys.test(line) && shownValue.test(value) ? line : `${key}${gap}${mask}`;
}
