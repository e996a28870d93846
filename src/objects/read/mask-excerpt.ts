import { nearest } from "../../diagnostics/index.ts";

/**
 * Tells from its text whether a document may be a Secret. The document may be broken, so this errs
 * towards yes: it is no only if some kind is stated and none is a Secret, even misspelt. The price
 * is a code frame without values.
 */
export function looksSecret(text: string): boolean {
  if (mentionsSecret(text)) return true;
  let stated = false;
  for (const [, kind = ""] of text.matchAll(statedKind)) {
    if (/secret/i.test(kind) || nearest(kind, ["Secret"]) !== undefined) return true;
    stated = true;
  }
  return !stated;
}

/** Whether a text has the words that only a Secret, or what speaks of one, has. */
export function mentionsSecret(text: string): boolean {
  return /\bSecret(?:List)?\b|\bstringData\b/.test(text);
}

const statedKind = /\bkind["']?[ \t]*:[ \t]*["']?([A-Za-z]\w*)/g;

const mask = "***";
const keyAndValue = /^(\s*(?:- +)*(?:[\w./-]+|"[\w./-]+"|'[\w./-]+')\s*:)(\s+)(\S.*)$/;
const keyAlone = /^\s*(?:- +)*(?:[\w./-]+|"[\w./-]+"|'[\w./-]+')\s*:\s*$/;
const shownWhole =
  /^\s*(?:- +)?["']?(?:apiVersion["']?: *["']?v1|kind["']?: *["']?(?:Secret|List))["']?,?$/;
const blockHeader = /^[|>][-+0-9]*$/;

// Deeper than this can be the text of a block scalar, where what looks like a key is a value.
const deepestKey = 2;

/** A line of a document that may be a Secret: keys stay, values go, anything unclear goes whole. */
export function maskExcerptLine(line: string): string {
  if (/^(?:\s*|---|\.\.\.|\s*[{}[\],]+\s*)$/.test(line) || shownWhole.test(line)) return line;
  const pair = keyAndValue.exec(line);
  const shallow = line.search(/\S/) <= deepestKey;
  if (shallow && keyAlone.test(line)) return line;
  if (pair === null || !shallow) return `${/^\s*/.exec(line)?.[0] ?? ""}${mask}`;
  const [, key = "", gap = "", value = ""] = pair;
  if (blockHeader.test(value) || /^[{[]$/.test(value)) return line;
  return `${key}${gap}${mask}`;
}
