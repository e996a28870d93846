import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** An installed package, as package-lock.json describes it. */
export interface LockedPackage {
  readonly version?: string;
  /** Only needed for development. */
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly name: string;
  readonly version: string;
  readonly lockfileVersion: number;
  readonly requires: boolean;
  /** By folder; the package itself is at "". */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export async function readLockfile(folder: string): Promise<Lockfile> {
  return JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as Lockfile;
}

/** The packages that are installed with Keelson, by folder. */
export function runtimePackages({ packages }: Lockfile): Readonly<Record<string, LockedPackage>> {
  return Object.fromEntries(
    Object.entries(packages).filter(([folder, { dev }]) => folder !== "" && dev !== true),
  );
}
