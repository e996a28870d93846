import { crashesOf } from "./log-crashes.ts";

const longestLine = 200;
// oxlint-disable-next-line no-control-regex -- colours of programs that believe to write on a terminal
const colors = /\u001B\[[\d;]*m/g;
/** The times that loggers write first; what they write differs with each run without them. */
const time =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [^\]]+\])\s*/;
/** Said by runtimes when all is over; it tells nothing. */
const epitaphs = [
  /^Node\.js v\d/,
  /^exit status \d+$/,
  /^note: run with `RUST_BACKTRACE/,
  /^npm (?:ERR!|error)/,
  /^\s+at /,
  /^\s+from \S+:\d+/,
  /^goroutine \d+ /,
  /^\s*\^+\s*$/,
  /^\s*[{}\])]+;?\s*$/,
];
const alarming = /\b(?:error|fatal|panic|critical|exception|failed|cannot|denied|refused)\b/i;

/**
 * The line of a log that says why its program ended: what an uncaught error of Node, Python, Go, Java,
 * Ruby, Rust or another runtime says, or else the last line that sounds like an error, or the last one.
 */
export function errorLine(log: readonly string[]): string | undefined {
  const lines = log.map((line) => line.replaceAll(colors, "").trimEnd());
  const crash = crashesOf(lines).at(-1);
  const telling = lines
    .slice(crash === undefined ? 0 : crash.line + 1)
    .filter((line) => line !== "" && !epitaphs.some((pattern) => pattern.test(line)));
  const alarm = crash === undefined ? telling.findLast((line) => alarming.test(line)) : undefined;
  const found = crash?.text ?? alarm ?? telling.at(-1);
  return found === undefined ? undefined : shortened(messageOf(found.trim()));
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line;
}

/** The message of a line of JSON; of others what stands behind the time. */
function messageOf(line: string): string {
  if (!line.startsWith("{")) return line.replace(time, "");
  const fields = jsonFields(line);
  const [message, error] = [textAt(fields, "msg", "message"), textAt(fields, "error", "err")];
  if (message === undefined) return error ?? line;
  return error === undefined || message.includes(error) ? message : `${message}: ${error}`;
}

function jsonFields(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function textAt(
  fields: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text =
      typeof value === "object" && value !== null
        ? (value as { readonly message?: unknown }).message
        : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
