import { randomBytes } from "node:crypto";
import { joinLines, logPieces, plainLog, safeText } from "../diagnostics/index.ts";

/**
 * The boundary to terminals: all text leaves through {@link throughBoundary}. What it is to do to a terminal is said
 * with {@link controlSequence}, under a key that nobody else knows: everything else that looks like it is spelled out.
 */
const key = `\u001B${randomBytes(12).toString("hex")}`;
const end = "\u0000";

/** What Keelson itself tells the terminal, for text that goes through the boundary. */
export function controlSequence(sequence: string): string {
  return `${key}${sequence}${end}`;
}

/** The text as it may leave. */
export function throughBoundary(text: string): string {
  return boundText(text, (own) => own.slice(key.length, -end.length));
}

/** One line of a screen, with our own controls still marked, and all else as it will be seen. */
export function screenLine(text: string): string {
  return joinLines(boundText(text, (own) => own));
}

/** The control of our own that begins at this place of a text. */
export function controlAt(text: string, index: number): string | undefined {
  if (!text.startsWith(key, index)) return undefined;
  const last = text.indexOf(end, index);
  return last === -1 ? undefined : text.slice(index, last + end.length);
}

/** Makes safe what stands between our own controls. */
function boundText(text: string, show: (own: string) => string): string {
  let bound = "";
  let from = 0;
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, from)) {
    const own = controlAt(text, at);
    if (own === undefined) break;
    bound += `${safeText(text.slice(from, at))}${show(own)}`;
    from = at + own.length;
  }
  return from === 0 ? safeText(text) : `${bound}${safeText(text.slice(from))}`;
}

const reset = controlSequence("\u001B[0m");
const longestLook = 64;
/** Bold to struck through, colours, and their ends: nothing that blinks, hides text or takes another font. */
const shownLook =
  /^(?:(?:0?[0-4]|0?7|0?9|2[1-4]|2[79]|[34][0-79]|9[0-7]|10[0-7]|[34]8[;:]5[;:]\d{1,3}|[34]8[;:]2(?:[;:]\d{0,3}){3,4})?(?:;|$))*$/;

/** A text of a log, with its colours or without; they end where it ends. */
export function logText(text: string, keepsColors: boolean): string {
  // What most lines are.
  if (!keepsColors || !text.includes("\u001B")) return plainLog(text);
  let shown = "";
  let hasLook = false;
  for (const piece of logPieces(text)) {
    shown += piece.text;
    const { look } = piece;
    if (look === undefined || look.length > longestLook || !shownLook.test(look)) continue;
    shown += controlSequence(`\u001B[${look}m`);
    hasLook = true;
  }
  return hasLook ? `${shown}${reset}` : shown;
}
