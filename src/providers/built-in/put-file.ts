import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { startChild } from "../../processes/index.ts";

export interface FileContents {
  readonly content: string;
  readonly mode: number;
}

/** Makes a file that was not there; returns whether it could, for a name that is taken stays as it is. */
export async function createFile(path: string, contents: FileContents): Promise<boolean> {
  if (await isThere(path)) return false;
  if (await putNameless(path, contents, [])) return true;
  const unfinished = await writeBeside(path, contents);
  try {
    // Unlike a rename, a link does not take the place of what is there.
    await link(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Makes a file, or takes the place of the one that is there. */
export async function replaceFile(path: string, contents: FileContents): Promise<void> {
  if (await putNameless(path, contents, ["--force"])) return;
  const unfinished = await writeBeside(path, contents);
  try {
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Where {@link createFile} and {@link replaceFile} write first where files cannot be without a name. */
export function unfinishedOf(path: string): string {
  return `${path}.keelson-unfinished`;
}

/**
 * Writes a file that has no name before it is whole, so that nothing is left of a run that is killed. Not all
 * systems, file systems and versions of `ln` can do that: returns whether it was done.
 */
async function putNameless(
  path: string,
  contents: FileContents,
  flags: readonly string[],
): Promise<boolean> {
  const file = await openNameless(dirname(path));
  if (file === undefined) return false;
  try {
    await writeWhole(file, contents);
    // Node cannot name an open file. The program has a group of its own: it ends well when we are killed.
    const source = "/proc/self/fd/3";
    const child = startChild(
      ["ln", "--logical", "--no-target-directory", ...flags, "--", source, path],
      { stdio: ["ignore", "ignore", "ignore", file.fd] },
    );
    return await new Promise<boolean>((resolve) => {
      child.once("error", () => {
        resolve(false);
      });
      child.once("close", (code) => {
        resolve(code === 0);
      });
    });
  } finally {
    await file.close();
  }
}

const writeOnly = 1;
/** O_TMPFILE, which Node does not name: a file of this folder that has no name. Only Linux has it. */
const nameless = 0o20200000;

async function openNameless(folder: string): Promise<FileHandle | undefined> {
  if (process.platform !== "linux") return undefined;
  return open(folder, writeOnly | nameless, 0o600).catch(() => undefined);
}

/**
 * The whole file under another name, so that nobody ever sees a half of it. The name is always the same: what a
 * killed run has left is found, and removed, by the next one.
 */
async function writeBeside(path: string, contents: FileContents): Promise<string> {
  const unfinished = unfinishedOf(path);
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", 0o600);
  try {
    await writeWhole(file, contents);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return unfinished;
}

async function writeWhole(file: FileHandle, { content, mode }: FileContents): Promise<void> {
  await file.writeFile(content);
  await file.chmod(mode);
  await file.sync();
}
