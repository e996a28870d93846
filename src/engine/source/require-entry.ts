import { realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import type { FoundProject } from "../../sources/program/find-project.ts";
import type { EngineHost } from "../host.ts";
import { folderOf } from "./folder-of.ts";
import { programPath } from "./program-path.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

/**
 * Refuses a file beside the program that keelson.json names: both would be one inventory, and each would
 * delete what the other applied.
 */
export async function requireEntry(
  host: EngineHost,
  input: string,
  { main, settingsFile }: FoundProject,
): Promise<void> {
  if (main === undefined || settingsFile === undefined || input === "-") return;
  const path = resolve(host.workingDirectory, input);
  // A directory means the program that keelson.json names.
  if ((await folderOf(host, input)) === path || realPath(path) === realPath(main)) return;
  const isCode = ((await tiltfilePath(path)) ?? (await programPath(path))) !== undefined;
  if (!isCode) return;
  const shown = relative(dirname(settingsFile), main);
  fail({
    code: "program.other-entry",
    summary: `${input} is not the program of this project, which is ${shown}`,
    detail: "Both would be one inventory: an apply of one deletes what the other applied.",
    hint: `Give ${input} a folder with a keelson.json of its own, or name it there as "main".`,
    source: { file: settingsFile, start: { line: 1, column: 1 } },
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
