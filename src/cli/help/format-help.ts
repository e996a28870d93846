import { type Entry, rowEntries, flagEntries, type Help, readHelp } from "./read-help.ts";

const widest = 100;
const narrowest = 40;

/** Help as people read it: what a command does, examples, and then everything that it takes. */
export function formatHelp(text: string, columns?: number): string {
  const width = widthOf(columns);
  const help = readHelp(text);
  const { description, sections } = help;
  return joined([
    wrapped(description, width),
    section("EXAMPLES", exampleLines(sections.get("EXAMPLES") ?? [], width)),
    section("USAGE", wrapped(usageOf(help), width - 2)),
    section("ARGUMENTS", table(rowEntries(sections.get("ARGUMENTS")), width)),
    section("COMMANDS", table(rowEntries(sections.get("COMMANDS")), width)),
    section("FLAGS", table(flagEntries(help), width)),
    section("RUNS", wrapped((sections.get("RUNS") ?? []).join(" "), width - 2)),
  ]);
}

/** Help of the program itself: its commands by the job that they are for. */
export function formatOverview(
  text: string,
  groups: Readonly<Record<string, readonly string[]>>,
  columns?: number,
): string {
  const width = widthOf(columns);
  const { description, sections } = readHelp(text);
  const commands = new Map(rowEntries(sections.get("COMMANDS")).map((each) => [each.name, each]));
  const nameWidth = Math.max(...[...commands.keys()].map((name) => name.length));
  return joined([
    wrapped(description, width),
    section("EXAMPLES", exampleLines(sections.get("EXAMPLES") ?? [], width)),
    Object.entries(groups).flatMap(([title, names]) =>
      section(
        title,
        table(
          names.flatMap((name) => commands.get(name) ?? []),
          width,
          nameWidth,
        ),
      ),
    ),
    ["keelson COMMAND --help shows examples and flags; keelson --version the version."],
  ]);
}

function widthOf(columns = 80): number {
  return Math.max(narrowest, Math.min(columns, widest));
}

function joined(parts: readonly (readonly string[])[]): string {
  const lines = parts.filter((part) => part.length > 0).map((part) => part.join("\n"));
  return `${lines.join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`.trimEnd())];
}

/** Of a command what must be there, and that there are flags; a group has commands. */
function usageOf({ usage, sections }: Help): string {
  const [first = ""] = usage;
  const commands = sections.get("COMMANDS");
  if (commands !== undefined) {
    const [name = ""] = rowEntries(commands).map((each) => each.name);
    return `${first.slice(0, first.indexOf(` ${name}`))} COMMAND [flags]`;
  }
  const [before = "", ...after] = first.split(/ ?\[--[^\]]*\](?:\.\.\.)?/);
  return after.length === 0 ? first : `${before} [flags]${after.join("")}`;
}

/** Beside each example what it does, or above it where that is too wide. */
function exampleLines(lines: readonly string[], width: number): readonly string[] {
  if (lines.every((line) => line.length + 2 <= width)) return lines;
  return lines.flatMap((line) => {
    const [command = "", effect = ""] = line.split(/ {2,}# /);
    return [...wrapped(`# ${effect}`, width - 2), command];
  });
}

const widestName = 30;

function table(entries: readonly Entry[], width: number, least = 0): readonly string[] {
  const names = entries.map(({ name }) => name.length).filter((length) => length <= widestName);
  const indent = Math.max(least, ...names) + 2;
  return entries.flatMap(({ name, text }) => {
    const [first = "", ...rest] = wrapped(text, width - indent - 2);
    const below = rest.map((line) => " ".repeat(indent) + line);
    return name.length + 2 <= indent
      ? [name.padEnd(indent) + first, ...below]
      : [name, " ".repeat(indent) + first, ...below];
  });
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
