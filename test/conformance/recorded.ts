import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StepResult } from "./run-case.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "recorded");

/** What a real API server answered to the cases of one file, by the name of the case. */
export type Recorded = Record<string, readonly StepResult[]>;

export function readRecorded(group: string): Recorded {
  const file = join(folder, `${group}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recorded) : {};
}

export function writeRecorded(group: string, recorded: Recorded): void {
  mkdirSync(folder, { recursive: true });
  const cases = Object.entries(recorded).map(
    ([name, steps]) =>
      `${JSON.stringify(name)}: [\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]`,
  );
  writeFileSync(join(folder, `${group}.json`), `{\n${cases.join(",\n")}\n}\n`);
}
