import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import type { FileAccess } from "./file-access.ts";

const mostBytes = 64 * 1024 * 1024;

/** The files of this machine. */
export const localFiles: FileAccess = {
  kindOf: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isDirectory() ? "directory" : "file";
  },
  readText: (path) => {
    const { size } = statSync(path);
    if (size > mostBytes) throw new Error(`${path} is larger than 64 MiB`);
    return readFileSync(path, "utf8");
  },
  list: (path) =>
    readdirSync(path, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
      .sort((left, right) => (left.name < right.name ? -1 : 1)),
  realPath: (path) => realpathSync(path),
  link: (path, directory) => {
    try {
      if (readlinkOf(path) === directory) return true;
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(directory, path, "dir");
      return true;
    } catch {
      return readlinkOf(path) === directory;
    }
  },
  move: (from, to) => {
    try {
      renameSync(from, to);
    } catch (error) {
      rmSync(from, { recursive: true, force: true });
      if (!existsSync(to)) throw error;
    }
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};

function readlinkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
