import { realpathSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";

/** Whether a file is, when links are followed, not below a folder: the one that its path names unless said otherwise. */
export function leadsOutside(file: string, folder = dirname(file)): boolean {
  try {
    // Pipes are nowhere, and whoever names one means it.
    if (!statSync(file).isFile()) return false;
    return !realpathSync(file).startsWith(`${realpathSync(folder).replace(/\/$/, "")}${sep}`);
  } catch {
    return false;
  }
}
