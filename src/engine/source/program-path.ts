import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { mainFiles } from "../../sources/program/main-files.ts";
import { namedMain } from "./named-main.ts";

const programName = /\.(?:ts|mts|js|mjs|cjs)$/;

/** The program that a path means: a module, or a directory that has one to begin with. */
export async function programPath(path: string): Promise<string | undefined> {
  if (path === "-") return undefined;
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return programName.test(basename(path)) ? path : undefined;
  if (found?.isDirectory() !== true) return undefined;
  if ((await namedMain(path)) !== undefined) return path;
  for (const file of mainFiles)
    if ((await stat(join(path, file)).catch(() => undefined))?.isFile() === true) return path;
  return undefined;
}
