import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder with those above it. Node's own way never ends where a folder is there in which nothing can be
 * made, as `/proc`: a home that cannot be written would hang the command.
 */
export function makeFolder(path: string, options: { readonly mode?: number } = {}): void {
  try {
    mkdirSync(path, options);
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || parent === path || existsSync(parent)) throw error;
    makeFolder(parent, options);
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) mkdirSync(path, options);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
