import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../processes/index.ts";

/** What was remembered in a file; undefined when nothing was. */
export async function readState<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Only the user may read it, for environments hold secrets; it is never seen half written. */
export async function writeState(file: string, value: unknown): Promise<void> {
  makeFolder(dirname(file), { mode: 0o700 });
  // What a killed run has left has the same name, and is replaced.
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

export async function removeState(file: string): Promise<void> {
  await rm(`${file}.unfinished`, { force: true });
  await rm(file, { force: true });
}
