import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BundledPackage } from "../third-party-notices.ts";
import { readLockfile, runtimePackages } from "./lockfile.ts";
import { npm } from "./npm.ts";

/** A part of CycloneDX that the release reads or writes; npm's further fields are kept. */
export interface Sbom {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly SbomComponent[];
}

export interface SbomComponent {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly purl?: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/**
 * What a version consists of, in CycloneDX: `npm sbom` on the packages that are installed with it, and the
 * packages whose code is inside it. The same version always gives the same text.
 */
export async function makeSbom(
  folder: string,
  bundled: readonly BundledPackage[],
  date: string,
): Promise<Sbom> {
  const { serialNumber: _random, ...sbom } = await npmSbom(folder);
  return {
    ...sbom,
    metadata: { ...sbom.metadata, timestamp: `${date}T00:00:00Z` },
    components: [...sbom.components, ...bundled.map(bundledComponent)],
  };
}

/**
 * In the checkout, `npm sbom --omit dev` leaves out every package that a development dependency needs too.
 * So it gets a folder where there are no others. The folder's name is taken for that of the package.
 */
async function npmSbom(folder: string): Promise<Sbom & { readonly serialNumber?: string }> {
  const scratch = await mkdtemp(join(tmpdir(), "keelson-sbom-"));
  try {
    const { devDependencies: _dev, ...manifest } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8"),
    ) as Readonly<Record<string, unknown>>;
    const lockfile = await readLockfile(folder);
    const { devDependencies: _locked, ...own } = lockfile.packages[""] ?? {};
    const packages = { "": own, ...runtimePackages(lockfile) };
    const place = join(scratch, lockfile.name);
    await mkdir(place);
    await writeFile(join(place, "package.json"), JSON.stringify(manifest));
    await writeFile(join(place, "package-lock.json"), JSON.stringify({ ...lockfile, packages }));
    const flags = ["--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
    return JSON.parse(await npm(place, "sbom", ...flags)) as Sbom;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function bundledComponent({ name, version, license }: BundledPackage): SbomComponent {
  return {
    type: "library",
    name,
    version,
    scope: "required",
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: license } }],
  };
}
