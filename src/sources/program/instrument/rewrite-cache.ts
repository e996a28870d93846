import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../processes/index.ts";

/** Keeps rewritten code by a key that stands for all it was made from. */
export interface RewriteCache {
  readonly read: (key: string) => string | undefined;
  readonly write: (key: string, code: string) => void;
}

const mostEntries = 5000;

/**
 * A cache in a folder, for programs that are read again and again. `version` is that of the
 * rewriting: code of another one is not found. A disk that cannot be written to costs time only.
 */
export function rewriteCacheIn(folder: string, version: string): RewriteCache {
  const own = join(folder, version);
  const isThere = prepare(own);
  return {
    read: (key) => {
      try {
        return readFileSync(join(own, key), "utf8");
      } catch {
        return undefined;
      }
    },
    write: (key, code) => {
      if (!isThere) return;
      const unfinished = join(own, `${key}.${process.pid}`);
      try {
        // Another run may read at any time: it finds the whole or nothing.
        writeFileSync(unfinished, code);
        renameSync(unfinished, join(own, key));
      } catch {
        rmSync(unfinished, { force: true });
      }
    },
  };
}

/** Makes the folder, and starts anew when it has grown too large. */
function prepare(folder: string): boolean {
  try {
    makeFolder(folder);
    if (readdirSync(folder).length > mostEntries) {
      rmSync(folder, { recursive: true, force: true });
      makeFolder(folder);
    }
    return true;
  } catch {
    return false;
  }
}
