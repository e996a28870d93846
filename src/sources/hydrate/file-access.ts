/** The part of a file system that sources read. Paths are absolute. */
export interface FileAccess {
  /** Undefined where there is nothing. */
  readonly kindOf: (path: string) => "directory" | "file" | undefined;
  /** The text of a file; throws what the system says when it cannot be read. */
  readonly readText: (path: string) => string;
  /** The names in a directory, in order. */
  readonly list: (path: string) => readonly DirectoryEntry[];
  /** The path with all symbolic links followed. */
  readonly realPath: (path: string) => string;
  /** Makes a path stand for a directory; says whether it does. */
  readonly link: (path: string, directory: string) => boolean;
  /** Gives a directory its name; where that is taken, what is there stays. */
  readonly move: (from: string, to: string) => void;
  readonly remove: (path: string) => void;
}

interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}
