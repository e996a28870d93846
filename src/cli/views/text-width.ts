import { safeLine } from "../../diagnostics/index.ts";

/** Characters of which terminals make two columns. */
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]$/u;
/** Characters that are drawn over the one before them, or not at all. */
const without = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Asks for the picture of the character before it, which is wide. */
const asPicture = "\uFE0F";

/** How many columns of a terminal one character takes; rather one too many than one too few. */
export function characterWidth(character: string): number {
  // All that most lines consist of.
  if (character < "\u0300" || character === asPicture) return 1;
  return wide.test(character) ? 2 : without.test(character) ? 0 : 1;
}

/** How many columns of a terminal a text without colours takes, as it will be seen. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of safeLine(text)) width += characterWidth(character);
  return width;
}

/** A text in exactly so many columns: filled up, or cut with an ellipsis. */
export function fitText(unfit: string, width: number): string {
  const text = safeLine(unfit);
  const fill = width - textWidth(text);
  if (fill >= 0) return `${text}${" ".repeat(fill)}`;
  let fitting = "";
  let taken = 1;
  for (const character of text) {
    taken += characterWidth(character);
    if (taken > width) break;
    fitting += character;
  }
  return fitText(`${fitting}…`, width);
}
