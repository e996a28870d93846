import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type LockedPackage, readLockfile, runtimePackages } from "./lockfile.ts";
import { npm } from "./npm.ts";

/** Packages that the project of a user has beside Keelson. */
const besides: readonly string[] = ["@types/node", "undici-types"];

/**
 * Installs a tarball in an empty folder and uses it there. The versions of what comes along are those of
 * the checkout's lockfile, so that npm finds all of it in its cache.
 */
export async function withInstalled<T>(
  tarball: string,
  root: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-user-"));
  try {
    const file = basename(tarball);
    await copyFile(tarball, join(folder, file));
    const lockfile = await readLockfile(root);
    const dependencies: Record<string, string> = { [lockfile.name]: `file:${file}` };
    const packages: Record<string, LockedPackage> = { ...runtimePackages(lockfile) };
    const { devDependencies: _dev, ...own } = lockfile.packages[""] ?? {};
    packages[`node_modules/${lockfile.name}`] = { ...own, resolved: `file:${file}` };
    for (const name of besides) {
      const { dev: _isDev, ...locked } = lockfile.packages[`node_modules/${name}`] ?? {};
      dependencies[name] = locked.version ?? "";
      packages[`node_modules/${name}`] = locked;
    }
    const manifest = { name: "user", version: "1.0.0", type: "module", dependencies };
    const { lockfileVersion, requires } = lockfile;
    await write(folder, "package.json", manifest);
    await write(folder, "package-lock.json", {
      lockfileVersion,
      requires,
      packages: { "": manifest, ...packages },
    });
    await npm(folder, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund");
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(folder: string, file: string, value: unknown): Promise<void> {
  await writeFile(join(folder, file), JSON.stringify(value));
}
