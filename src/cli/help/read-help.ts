/** The help of a command in its parts, as the framework wrote it. */
export interface Help {
  /** Of a command one line with all its flags; of a group one for each of its commands. */
  readonly usage: readonly string[];
  readonly description: string;
  /** The text of each section that has a heading, by the heading. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
}

/** A flag, an argument or a command, with what is said of it. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

const heading = /^[A-Z]+$/;

/** Reads what the framework would print. */
export function readHelp(text: string): Help {
  const sections = new Map<string, string[]>();
  const description: string[] = [];
  let current: string[] | undefined;
  for (const line of text.trimEnd().split("\n")) {
    if (heading.test(line)) {
      current = [];
      sections.set(line, current);
    } else if (line.startsWith("  ") && current !== undefined) current.push(line.trim());
    else if (line !== "") description.push(line);
  }
  const { USAGE: usage = [], ...others } = Object.fromEntries(sections);
  return { usage, description: description.join(" "), sections: new Map(Object.entries(others)) };
}

/** The flags of a command. What they take stands in its usage, what they are for in a table. */
export function flagEntries({ usage, sections }: Help): readonly Entry[] {
  const [line = ""] = usage;
  return (sections.get("FLAGS") ?? []).flatMap((row): readonly Entry[] => {
    const [, short, long = "", negated, rest = ""] = flagRow.exec(row) ?? [];
    // What follows `--` is as in every other program.
    if (long === "--" || long === "") return [];
    const { text, values, preset } = readRest(rest);
    const placeholder = new RegExp(String.raw`${long} ([^\]\s|]+)\]`).exec(line)?.[1];
    const word = values === undefined && placeholder !== undefined ? ` <${placeholder}>` : "";
    const named = negated === undefined ? long : long.replace("--", "--[no-]");
    const extra = [...(values ?? []), ...(preset === undefined ? [] : [`default ${preset}`])];
    return [
      {
        name: `${short === undefined ? "    " : `${short}, `}${named}${word}`,
        text: extra.length === 0 ? text : `${text} (${extra.join(", ")})`,
      },
    ];
  });
}

const flagRow = /^(?:(-\w)\s+)?\[?(--[\w-]*)(\/--no-[\w-]+)?\]?(?:\.\.\.)?\s+(.*)$/;

/** What a flag is for, the words that it may take, and what holds without it. */
function readRest(rest: string): {
  readonly text: string;
  readonly values?: readonly string[] | undefined;
  readonly preset?: string | undefined;
} {
  const [, text = rest, bracket = ""] = /^(.*?)\s+\[([^[\]]*)\]$/.exec(rest) ?? [];
  const values = /^[^,=]*\|[^,=]*/.exec(bracket)?.[0].split("|");
  const preset = /default = (.*)$/.exec(bracket)?.[1];
  return { text: text.trim(), values, preset: preset === "false" ? undefined : preset };
}

/** Rows of two columns: arguments and commands. */
export function rowEntries(rows: readonly string[] = []): readonly Entry[] {
  return rows.map((row) => {
    const [, name = row, text = ""] = /^(\S+)\s+(.*)$/.exec(row) ?? [];
    const { text: own, preset } = readRest(text);
    return { name, text: preset === undefined ? own : `${own} (default ${preset})` };
  });
}
