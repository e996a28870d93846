import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** Long enough for an editor to write several files, short enough not to be felt. */
const settleMs = 20;
const defaultMostFolders = 20_000;
/** Many programs empty a file before they write it: so long it may stay empty until that is believed. */
const defaultEmptyMs = 500;

/** Folders whose contents nobody edits. */
const neverWatched: ReadonlySet<string> = new Set([".git", "node_modules", ".hg", ".svn"]);

export interface FileWatcherOptions {
  /** Told of all files that changed in one go. */
  readonly onChange: (paths: readonly string[]) => void;
  /** Told when something cannot be watched. */
  readonly onTrouble: (path: string, error: unknown) => void;
  /** How many folders are watched at most. */
  readonly mostFolders?: number | undefined;
  /** For how long a file that became empty is taken for one that is being written. */
  readonly emptyMs?: number | undefined;
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
  #emptySince: number | undefined;

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

  /** Watches a root where it is, or will be; returns the files that are in it. */
  #want(root: string): readonly string[] {
    let folder = dirname(root);
    while (kindOf(folder) === undefined && dirname(folder) !== folder) folder = dirname(folder);
    // Only the folder around it tells that it goes and comes back.
    this.#add(folder);
    const kind = kindOf(root);
    return kind === "folder" ? this.#addTree(root) : kind === "file" ? [root] : [];
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
    const { onTrouble, mostFolders = defaultMostFolders } = this.#options;
    if (this.#folders.size >= mostFolders) {
      onTrouble(folder, new Error(`more than ${mostFolders} folders`));
      return false;
    }
    try {
      const watcher = watch(folder, (_event, name) => {
        const isGone = kindOf(folder) === undefined;
        // What a folder says of itself when it goes comes with its own name.
        if (isGone && name === basename(folder)) this.#note(folder);
        else if (name !== null) this.#note(join(folder, name));
        // It has more to say: what was in it.
        if (isGone) setImmediate(() => this.#lose(folder));
      });
      watcher.on("error", () => {
        watcher.close();
        this.#folders.delete(folder);
      });
      this.#folders.set(folder, watcher);
      return true;
    } catch (error) {
      onTrouble(folder, error);
      return false;
    }
  }

  #note(path: string): void {
    if (this.#isClosed || !this.#isRelated(path)) return;
    const before = this.#changed.size;
    if (kindOf(path) === undefined) this.#forget(path);
    for (const root of this.#roots) if (root === path || isInside(path, root)) this.#arrive(root);
    const isWatched = this.#roots.some((root) => root === path || isInside(root, path));
    if (isWatched) this.#addChanged(path);
    // Files that mean nothing, and those that never rest, must not put the others off.
    if (this.#changed.size > before) this.#flushSoon();
  }

  /** Most files of a folder that is around a root have nothing to do with it. */
  #isRelated(path: string): boolean {
    return this.#roots.some(
      (root) => root === path || isInside(root, path) || isInside(path, root),
    );
  }

  #flushSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#flush();
    }, settleMs);
  }

  /** A folder that is gone cannot be watched; one that comes in its place is another. */
  #forget(path: string): void {
    if (!this.#folders.has(path)) return;
    for (const [folder, watcher] of this.#folders) {
      if (folder !== path && !isInside(path, folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
  }

  /** What was in a folder that is gone may come back in any folder that is left around it. */
  #lose(folder: string): void {
    if (this.#isClosed) return;
    const before = this.#changed.size;
    this.#forget(folder);
    for (const root of this.#roots)
      if (root === folder || isInside(folder, root)) this.#arrive(root);
    if (this.#changed.size > before) this.#flushSoon();
  }

  /** A root that was not there may have come, or a folder on the way to it. */
  #arrive(root: string): void {
    const before = this.#folders.size;
    const files = this.#want(root);
    // What was written before its folder was watched has told nobody.
    if (this.#folders.size > before) for (const file of files) this.#changed.add(file);
  }

  #addChanged(path: string): void {
    if (kindOf(path) !== "folder") {
      this.#changed.add(path);
      return;
    }
    const name = path.slice(path.lastIndexOf(sep) + 1);
    if (this.#folders.has(path) || neverWatched.has(name)) return;
    // What was written into a new folder before it was watched has told nobody.
    for (const each of this.#addTree(path)) this.#changed.add(each);
  }

  #flush(): void {
    if (this.#isBeingWritten()) {
      this.#flushSoon();
      return;
    }
    this.#emptySince = undefined;
    const paths = [...this.#changed].sort();
    this.#changed.clear();
    this.#options.onChange(paths);
  }

  #isBeingWritten(): boolean {
    if (![...this.#changed].some(isEmptyFile)) return false;
    this.#emptySince ??= performance.now();
    return performance.now() - this.#emptySince < (this.#options.emptyMs ?? defaultEmptyMs);
  }
}

function isEmptyFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
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
