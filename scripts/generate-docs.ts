/**
 * Writes docs/errors.md from the list of diagnostic codes, docs/what-runs.md from what commands run, and schema/keelson.schema.json from the list of
 * settings; with --check only compares.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diagnosticCodes } from "../src/diagnostics/index.ts";
import { whatRuns } from "../src/cli/what-runs.ts";
import { projectSchema } from "./project-schema.ts";
import { root } from "./run.ts";

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
const runs = [
  "# What runs",
  "",
  "What each command runs of what others wrote. The same line is in its `--help`. Commands that reach a cluster also run",
  "the credential plugin that your kubeconfig names. `keelson check --no-execution` runs nothing: use it on what you have",
  "not read. This page is generated from the code; `npm run docs` rewrites it.",
  "",
  "| command | evaluates a Tiltfile | a program | what it runs |",
  "|---|---|---|---|",
  ...Object.entries<{ readonly text: string; readonly evaluates: readonly string[] }>(whatRuns).map(
    ([command, { text, evaluates }]) =>
      `| \`keelson ${command}\` | ${["tiltfile", "program"].map((input) => (evaluates.includes(input) ? "yes" : "no")).join(" | ")} | ${cell(text)} |`,
  ),
];
const generated: Readonly<Record<string, string>> = {
  "docs/errors.md": `${lines.join("\n")}\n`,
  "docs/what-runs.md": `${runs.join("\n")}\n`,
  "schema/keelson.schema.json": `${JSON.stringify(projectSchema(), undefined, 2)}\n`,
};

for (const [file, text] of Object.entries(generated)) {
  const path = join(root, file);
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    console.log(`${file} is not what the code says: run \`npm run docs\``);
    process.exitCode = 1;
  }
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
