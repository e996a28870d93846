/** One version in CHANGELOG.md. */
export interface ChangelogSection {
  /** A version, or "Unreleased". */
  readonly title: string;
  readonly date: string | undefined;
  readonly entries: readonly string[];
}

const heading = /^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?$/;

/** The sections of a changelog, the newest first, as it has them. */
export function readChangelog(text: string): readonly ChangelogSection[] {
  const sections: { title: string; date: string | undefined; entries: string[] }[] = [];
  for (const line of text.split("\n")) {
    const [, title, date] = heading.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, date, entries: [] });
    else if (line.startsWith("- ")) sections.at(-1)?.entries.push(line.slice(2));
  }
  return sections;
}

interface Problem {
  readonly problem: string;
  readonly date?: never;
}

/** Why a version cannot be released with this changelog; its date, if it can. */
export function releaseDate(
  text: string,
  version: string,
): { readonly date: string; readonly problem?: never } | Problem {
  const sections = readChangelog(text);
  const unreleased = sections.find(({ title }) => title === "Unreleased")?.entries.length ?? 0;
  if (unreleased > 0)
    return {
      problem: `CHANGELOG.md has ${unreleased} unreleased ${unreleased === 1 ? "entry. Give it" : "entries. Give them"} a version and a date.`,
    };
  const section = sections.find(({ title }) => title === version);
  if (section?.date === undefined)
    return {
      problem: `CHANGELOG.md has no section "## ${version} - YYYY-MM-DD", and package.json has this version.`,
    };
  if (section.entries.length === 0)
    return { problem: `The section of ${version} in CHANGELOG.md is empty.` };
  return { date: section.date };
}
