import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the build and the package need of a checkout. */
const sources: readonly string[] = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "bin",
  "package-lock.json",
  "package.json",
  "schema",
  "scripts",
  "src",
  "tsconfig.json",
  "tsconfig.types.json",
  "web",
];

/**
 * Runs something in a copy of the checkout. What an earlier build left behind is not there, and the
 * checkout's own `dist/`, which others may be using, stays as it is.
 */
export async function inCopyOf<T>(root: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-release-"));
  try {
    for (const source of sources)
      await cp(join(root, source), join(folder, source), { recursive: true });
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
