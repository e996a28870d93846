import type { MessageLevel } from "./run-event.ts";

const words: readonly (readonly [MessageLevel, RegExp])[] = [
  ["error", /\b(?:error|fatal|panic|critical|exception)\b/i],
  ["warn", /\b(?:warn|warning)\b/i],
  ["debug", /\b(?:debug|trace)\b/i],
];

/** The numbers that JSON logs of Node's loggers have as levels. */
const numbers: readonly (readonly [number, MessageLevel])[] = [
  [50, "error"],
  [40, "warn"],
  [30, "info"],
  [0, "debug"],
];

/** How important a line is, as far as it says so itself. */
export function logLevel(line: string): MessageLevel {
  if (line.startsWith("{")) {
    const field = /"(?:level|severity|lvl)"\s*:\s*(?:"(\w+)"|(\d+))/.exec(line);
    const number = field?.[2] === undefined ? undefined : Number(field[2]);
    if (number !== undefined) return numbers.find(([least]) => number >= least)?.[1] ?? "info";
    if (field?.[1] !== undefined) return levelOfWord(field[1]);
  }
  return levelOfWord(line.slice(0, longestSearched));
}

const longestSearched = 200;

function levelOfWord(text: string): MessageLevel {
  return words.find(([, pattern]) => pattern.test(text))?.[0] ?? "info";
}

const order: readonly MessageLevel[] = ["debug", "info", "warn", "error"];

/** Whether a line is at least as important as asked for. */
export function isAtLeast(level: MessageLevel, least: MessageLevel): boolean {
  return order.indexOf(level) >= order.indexOf(least);
}
