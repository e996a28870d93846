/**
 * Text from clusters, inputs and providers is data, also for the terminal that shows it. These functions spell out
 * every character that would make a terminal or a reader do or believe something: control characters (C0, DEL, C1),
 * directions of writing, characters without a width, separators that only some readers take for line ends.
 *
 * The spelling is that of JSON (`\u001b`), so that JSON stays what it was, whoever prints it.
 */
const unsafeRanges =
  "\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB";

/** The source of a pattern for one unsafe character: tags, which nobody sees, are pairs. */
export const unsafeCharacter = `[${unsafeRanges}]|\\uDB40[\\uDC00-\\uDC7F]`;

/** One class is quicker to look for; the few other characters that begin with the same half do no harm. */
const unsafe = new RegExp(`[${unsafeRanges}\\uDB40]`);
const exactlyUnsafe = new RegExp(unsafeCharacter);
const replaceable = new RegExp(`\\r\\n|${unsafeCharacter}`, "g");

/** Whether a text holds a character that must not reach a terminal as it is. */
export function isUnsafeText(text: string): boolean {
  return unsafe.test(text) && exactlyUnsafe.test(text);
}

/** A text in which nothing acts on a terminal: unsafe characters are spelled out, tabs and line ends stay. */
export function safeText(text: string): string {
  return unsafe.test(text) ? text.replaceAll(replaceable, spellOut) : text;
}

/** A safe text that stays on one line. */
export function safeLine(text: string): string {
  return joinLines(safeText(text));
}

/** Several lines as one. */
export function joinLines(text: string): string {
  return /[\n\t]/.test(text) ? text.replaceAll(/\s*\n\s*/g, " ").replaceAll("\t", "    ") : text;
}

/** How an unsafe character is shown; the end of a line as Windows writes it is only the end of a line. */
export function spellOut(characters: string): string {
  if (characters === "\r\n") return "\n";
  let spelled = "";
  for (let index = 0; index < characters.length; index++)
    spelled += `\\u${characters.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return spelled;
}
