import { isUnsafeText, spellOut, unsafeCharacter } from "../diagnostics/index.ts";

const unsafe = new RegExp(unsafeCharacter, "g");
/** How JSON writes control characters; a backslash that is escaped itself begins none of them. */
const control = /\\(?:u00[01][\da-f]|[bf\\])/g;
const escapedBackslash = "\\\\";

/**
 * JSON for the page. What would act on somebody who reads it there, or copies it to a terminal, is spelled out;
 * logs keep their control characters, of which the page makes colours.
 */
export function pageJson(value: unknown, { isLog = false } = {}): string {
  const json = JSON.stringify(value);
  const safe = isUnsafeText(json)
    ? json.replaceAll(unsafe, (match) => spellOut(match).replaceAll("\\", escapedBackslash))
    : json;
  if (isLog || !/\\[ubf]/.test(safe)) return safe;
  return safe.replaceAll(control, (match) => (match === escapedBackslash ? match : `\\${match}`));
}
