import { safeText } from "./safe-text.ts";

/**
 * What a text tells a terminal to do, as ECMA-48 has it: looks and cursor movements with their parameters (CSI),
 * strings with their end (titles, links, the clipboard), and short sequences. An escape that begins nothing whole
 * counts for itself.
 */
const terminalSequence =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /\u001B(?:\[([0-?]*)([ -/]*[@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[PX^_][^\u001B]*\u001B\\|[ -/]+[0-~]|[0-~])?/g;

/** A piece of a log: a safe text, and the look that begins after it. */
export interface LogPiece {
  readonly text: string;
  /** The parameters of the sequence after the text if it is one for looks (SGR). */
  readonly look?: string;
}

/**
 * A line of a log as safe texts with the looks between them. Programs write what they believe to be a terminal:
 * whatever else they tell it is left out.
 */
export function logPieces(line: string): readonly LogPiece[] {
  if (!line.includes("\u001B")) return [{ text: safeLogText(line) }];
  const pieces: LogPiece[] = [];
  let end = 0;
  for (const match of line.matchAll(terminalSequence)) {
    const text = safeLogText(line.slice(end, match.index));
    end = match.index + match[0].length;
    pieces.push(match[2] === "m" ? { text, look: match[1] ?? "" } : { text });
  }
  pieces.push({ text: safeLogText(line.slice(end)) });
  return pieces;
}

/** A line of a log as a safe text without looks. */
export function plainLog(line: string): string {
  return safeLogText(line.includes("\u001B") ? line.replaceAll(terminalSequence, "") : line);
}

/** What was written over itself, as bars of progress are, stands side by side. */
function safeLogText(text: string): string {
  return safeText(text.includes("\r") ? text.replaceAll(/\r+(?!\n)/g, " ") : text);
}
