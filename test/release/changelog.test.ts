import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readChangelog, releaseDate } from "../../scripts/release/changelog.ts";

const released =
  "## 0.2.0 - 2026-11-18\n\n- New.\n  More of it.\n\n## 0.1.0 - 2026-11-16\n\n- Old.\n";

it("reads sections with their entries", () => {
  expect(readChangelog(`# Changelog\n\n## Unreleased\n\n${released}`)).toEqual([
    { title: "Unreleased", date: undefined, entries: [] },
    { title: "0.2.0", date: "2026-11-18", entries: ["New."] },
    { title: "0.1.0", date: "2026-11-16", entries: ["Old."] },
  ]);
});

it.each([
  ["0.2.0", released, { date: "2026-11-18" }],
  ["0.2.0", `## Unreleased\n\n${released}`, { date: "2026-11-18" }],
  [
    "0.2.0",
    `## Unreleased\n\n- Newer.\n\n${released}`,
    { problem: "CHANGELOG.md has 1 unreleased entry. Give it a version and a date." },
  ],
  [
    "0.3.0",
    released,
    {
      problem:
        'CHANGELOG.md has no section "## 0.3.0 - YYYY-MM-DD", and package.json has this version.',
    },
  ],
  [
    "0.2.0",
    "## 0.2.0\n\n- Without a date.\n",
    {
      problem:
        'CHANGELOG.md has no section "## 0.2.0 - YYYY-MM-DD", and package.json has this version.',
    },
  ],
  [
    "0.2.0",
    "## 0.2.0 - 2026-11-18\n",
    { problem: "The section of 0.2.0 in CHANGELOG.md is empty." },
  ],
])("of %s finds the date, or says what stands in the way", (version, text, expected) => {
  expect(releaseDate(text, version)).toEqual(expected);
});

it("every version of this package has a date, the newest first", async () => {
  const versions = readChangelog(await readFile("CHANGELOG.md", "utf8")).filter(
    ({ title }) => title !== "Unreleased",
  );
  const dates = versions.map(({ date }) => date ?? "none");
  expect(dates).not.toContain("none");
  expect(dates).toEqual(dates.toSorted().toReversed());
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  expect(versions[0]?.title).toBe(version);
});
