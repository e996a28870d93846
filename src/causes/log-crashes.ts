/** What a runtime wrote when a program crashed: the line that says why, and where the account of it begins. */
export interface LogCrash {
  readonly line: number;
  readonly text: string;
}

/** Looks whether an account of a crash begins at a line; undefined when none does. */
type Recogniser = (lines: readonly string[], at: number) => string | undefined;

/** `Error: x`, `TypeError [ERR_X]: y`, `com.example.OddException: z`; not what a stack or a logger has before it. */
const thrown = /^(?:Uncaught )?(?:[\w$]+[.:]+)*[\w$]*(?:Error|Exception)(?: \[\w+\])?(?:: .*|$)/;

const node: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  if (line.startsWith("FATAL ERROR: ")) return line;
  // Node shows the place, the source and an arrow before what was thrown.
  if (!thrown.test(line)) return undefined;
  const isThrown =
    /^\s+at /.test(lines[at + 1] ?? "") ||
    lines.slice(at, at + mostLines).some((each) => /^Node\.js v\d/.test(each));
  return isThrown ? line : undefined;
};

const python: Recogniser = (lines, at) => {
  if (lines[at]?.startsWith("Traceback (most recent call last):") !== true) return undefined;
  const end = lines.findIndex((line, index) => index > at && /^\S/.test(line));
  return end === -1 ? undefined : lines[end];
};

const go: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  if (!/^(?:panic|fatal error): /.test(line)) return undefined;
  return line.replace(/ \[recovered\]$/, "");
};

const java: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  const opening = /^Exception in thread "[^"]*" (.*)$/.exec(line)?.[1];
  if (opening === undefined)
    return /^Error: (?:Could not find or load main class|Unable to access jarfile)/.test(line)
      ? line
      : undefined;
  const causes = lines.slice(at).flatMap((each) => /^Caused by: (.*)$/.exec(each)?.[1] ?? []);
  return causes.at(-1) ?? opening;
};

const spring: Recogniser = (lines, at) => {
  if (lines[at] !== "APPLICATION FAILED TO START") return undefined;
  const description = lines.indexOf("Description:", at);
  return description === -1
    ? undefined
    : lines.slice(description + 1).find((line) => line.trim() !== "");
};

const ruby: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  const found = /^\S+:\d+:in ['`][^']*': (.* \([\w:]+\))$/.exec(line);
  return found?.[1];
};

const rust: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  const old = /^thread '[^']*' (?:\(\d+\) )?panicked at '(.*)', \S+:\d+:\d+$/.exec(line);
  if (old !== null) return `panic: ${old[1] ?? ""}`;
  if (!/^thread '[^']*' (?:\(\d+\) )?panicked at \S+:\d+:\d+:$/.test(line)) return undefined;
  return `panic: ${lines[at + 1] ?? ""}`;
};

const dotnet: Recogniser = (lines, at) => /^Unhandled exception\. (.*)$/.exec(lines[at] ?? "")?.[1];

const php: Recogniser = (lines, at) => /^PHP (Fatal error: .*)$/.exec(lines[at] ?? "")?.[1];

/** A logger says of a line that nothing comes after it. */
const fatal: Recogniser = (lines, at) => {
  const line = lines[at] ?? "";
  if (/^\s/.test(line)) return undefined;
  const isFatal =
    /^F\d{4} \d\d:\d\d:\d\d/.test(line) ||
    /\b(?:FATAL|PANIC|CRITICAL)\b/.test(line) ||
    /"(?:level|severity|lvl)"\s*:\s*(?:"(?:fatal|panic|critical)"|60)/i.test(line);
  return isFatal ? line : undefined;
};

const recognisers = [node, python, go, java, spring, ruby, rust, dotnet, php, fatal];
/** How far apart what was thrown and the end of its account may be. */
const mostLines = 40;

/** The crashes that a log tells of, the last one last. */
export function crashesOf(lines: readonly string[]): readonly LogCrash[] {
  return lines.flatMap((_, line): readonly LogCrash[] => {
    for (const recognise of recognisers) {
      const text = recognise(lines, line);
      if (text !== undefined && text.trim() !== "") return [{ line, text }];
    }
    return [];
  });
}
