import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Long enough for an editor to write several files, short enough not to be felt. */
const settleMs = 20;
const mostFolders = 20_000;

/** Folders whose contents nobody edits. */
const neverWatched: ReadonlySet<string> = new Set([".git", "node_modules", ".hg", ".svn"]);

export interface FileWatcherOptions {
  /** Told of all files that changed in one go. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Told when something cannot be watched. */
  readonly onTrouble: (path: string, error: unknown) => void;
}

/**
 * Watches files, and folders with all that is in them. A file is watched by its folder, because editors
 * put a new file in the place of the old one; what is not there yet, by the folder that it would be in.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #folders = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #roots: readonly string[] = [];
  #wanted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
  }

  /** From now on these paths; what is watched already goes on without a gap. */
  watch(paths: readonly string[]): void {
    if (this.#isClosed) return;
    this.#roots = [...new Set(paths)];
    this.#wanted = new Set();
    for (const root of this.#roots) this.#want(root);
    for (const [folder, watcher] of this.#folders) {
      if (this.#wanted.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #want(root: string): void {
    const kind = kindOf(root);
    if (kind === "folder") {
      this.#addTree(root);
      return;
    }
    let folder = dirname(root);
    while (kindOf(folder) === undefined && dirname(folder) !== folder) folder = dirname(folder);
    this.#add(folder);
  }

  /** A folder and those in it. */
  #addTree(folder: string): readonly string[] {
    const files: string[] = [];
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (!this.#add(next)) continue;
      for (const entry of entriesOf(next)) {
        const path = join(next, entry.name);
        if (!entry.isFolder) files.push(path);
        else if (!neverWatched.has(entry.name)) pending.push(path);
      }
    }
    return files;
  }

  #add(folder: string): boolean {
    this.#wanted.add(folder);
    if (this.#folders.has(folder)) return true;
    if (this.#folders.size >= mostFolders) {
      this.#options.onTrouble(folder, new Error(`more than ${mostFolders} folders`));
      return false;
    }
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name !== null) this.#note(join(folder, name));
      });
      watcher.on("error", () => {
        watcher.close();
        this.#folders.delete(folder);
      });
      this.#folders.set(folder, watcher);
      return true;
    } catch (error) {
      this.#options.onTrouble(folder, error);
      return false;
    }
  }

  #note(path: string): void {
    if (this.#isClosed) return;
    // A root that was not there may have come, or a folder on the way to it.
    for (const root of this.#roots) if (root === path || isInside(path, root)) this.#want(root);
    const isWatched = this.#roots.some((root) => root === path || isInside(root, path));
    if (!isWatched) return;
    const isFolder = kindOf(path) === "folder";
    // What was written into a new folder before it was watched has told nobody.
    const inside =
      isFolder && !neverWatched.has(path.slice(path.lastIndexOf(sep) + 1))
        ? this.#addTree(path)
        : [];
    for (const each of isFolder ? inside : [path]) this.#changed.add(each);
    if (this.#changed.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#flush();
    }, settleMs);
  }

  #flush(): void {
    const paths = [...this.#changed].sort();
    this.#changed.clear();
    this.#options.onChange(paths);
  }
}

/** Whether a path is in a folder, at any depth. */
export function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function kindOf(path: string): "file" | "folder" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.isDirectory() ? "folder" : "file";
}

function entriesOf(
  folder: string,
): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}
