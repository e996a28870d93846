import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DockerBuild } from "./build-definition.ts";
import { ignorePatterns } from "./ignore-patterns.ts";

/** A file of a build's context, by its path inside of it. */
export interface ContextFile {
  readonly path: string;
  readonly file: string;
  readonly isLink: boolean;
}

const mostFiles = 200_000;

/** The files that a build may see, in the order of their paths: without what is ignored. */
export async function contextFiles({
  context,
  ignore,
  only,
}: Pick<DockerBuild, "context" | "ignore" | "only">): Promise<readonly ContextFile[]> {
  const written = await readFile(join(context, ".dockerignore"), "utf8").catch(() => "");
  const isIgnored = ignorePatterns([...written.split("\n"), ...ignore]);
  const isWanted = onlyPaths(only);
  const found: ContextFile[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(join(context, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      // What is below a folder that is left out may be taken back, so that it is looked into.
      if (entry.isDirectory()) folders.push(path);
      else if (!isIgnored(path) && isWanted(path))
        found.push({ path, file: join(context, path), isLink: entry.isSymbolicLink() });
      if (found.length > mostFiles)
        throw new Error(`${context} holds more than ${mostFiles} files`);
    }
  }
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Folders come and go while they are looked through. */
function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

function onlyPaths(only: readonly string[]): (path: string) => boolean {
  if (only.length === 0) return () => true;
  const wanted = only.map((each) => each.replace(/^\.?\/+/, "").replace(/\/+$/, ""));
  return (path) =>
    wanted.some((each) => each === "" || path === each || path.startsWith(`${each}/`));
}
