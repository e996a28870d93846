/** Writes docs/errors.md from the list of diagnostic codes; with --check only compares. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diagnosticCodes } from "../src/diagnostics/index.ts";
import { root } from "./run.ts";

const page = join(root, "docs", "errors.md");
const areas = Map.groupBy(Object.entries(diagnosticCodes), ([code]) => code.split(".")[0] ?? "");
const lines = [
  "# Diagnostics",
  "",
  "Every error and warning of Keelson has a stable code. This page is generated from the code; `npm run docs` rewrites it.",
];
for (const [area, entries] of areas) {
  lines.push("", `## ${area}`, "", "| code | when | what to do |", "|---|---|---|");
  for (const [code, { meaning, remedy }] of entries) {
    lines.push(`| \`${code}\` | ${cell(meaning)} | ${cell(remedy)} |`);
  }
}
const wanted = `${lines.join("\n")}\n`;

if (process.argv.includes("--check")) {
  const found = await readFile(page, "utf8").catch(() => "");
  if (found !== wanted) {
    console.log("docs/errors.md is not what the codes say: run `npm run docs`");
    process.exitCode = 1;
  }
} else {
  await writeFile(page, wanted);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
