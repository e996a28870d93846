import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { builtInPackage } from "../built-in/built-in-package.ts";
import { isPath, nodeModulesAbove } from "./package-places.ts";
import { type PackageManifest, readManifest } from "./read-declaration.ts";

export interface FindPackageOptions {
  readonly projectFolder: string;
  /** Folders of packages that the program is known to use, beside those in node_modules. */
  readonly packageFolders: readonly string[];
}

/** The package that has the provider; undefined for the one that is part of Keelson. */
export async function findPackage(
  packageName: string,
  options: FindPackageOptions,
): Promise<PackageManifest | undefined> {
  if (isPath(packageName)) return packageAtPath(packageName, options);
  const { places, found } = await candidates(packageName, options);
  const declared = found.filter(({ provider }) => provider !== undefined);
  if (packageName === builtInPackage) {
    const [other] = declared;
    if (other === undefined) return undefined;
    return failAmbiguous(packageName, ["the provider that is part of Keelson", other.folder]);
  }
  const [first, ...others] = declared;
  if (others.length > 0)
    return failAmbiguous(
      packageName,
      declared.map(({ folder }) => folder),
    );
  if (first !== undefined) return first;
  const [bare] = found;
  if (bare !== undefined) return failNotDeclared(packageName, bare);
  return fail({
    code: "provider.unknown-package",
    summary: `the package ${JSON.stringify(packageName)}, whose provider is needed, was not found`,
    detail: ["looked for its package.json in", ...places.map((place) => `  ${place}`)].join("\n"),
    hint: `npm install ${packageName}`,
  });
}

async function packageAtPath(
  path: string,
  { projectFolder }: FindPackageOptions,
): Promise<PackageManifest> {
  const folder = resolve(projectFolder, path);
  const manifest = await readManifest(folder);
  if (manifest?.provider !== undefined) return manifest;
  if (manifest !== undefined) return failNotDeclared(path, manifest);
  return fail({
    code: "provider.unknown-package",
    summary: `there is no package at ${JSON.stringify(path)}`,
    detail: `looked for ${join(folder, "package.json")}`,
    hint: "check the path; it is relative to the project",
  });
}

/** The nearest in node_modules, and every known folder whose package.json has the name. */
async function candidates(
  packageName: string,
  { projectFolder, packageFolders }: FindPackageOptions,
): Promise<{ readonly places: readonly string[]; readonly found: readonly PackageManifest[] }> {
  const found = new Map<string, PackageManifest>();
  const add = async (manifest: PackageManifest): Promise<void> => {
    const real = await realpath(manifest.folder);
    if (!found.has(real)) found.set(real, manifest);
  };
  const named = [projectFolder, ...packageFolders.map((folder) => resolve(projectFolder, folder))];
  for (const folder of named) {
    const manifest = await readManifest(folder);
    if (manifest?.name === packageName) await add(manifest);
  }
  const installed = nodeModulesAbove(projectFolder).map((folder) => join(folder, packageName));
  // What is called keelson in node_modules is Keelson.
  for (const folder of packageName === builtInPackage ? [] : installed) {
    const manifest = await readManifest(folder);
    if (manifest === undefined) continue;
    await add(manifest);
    break;
  }
  return { places: [...new Set([...named, ...installed])], found: [...found.values()] };
}

function failAmbiguous(packageName: string, folders: readonly string[]): never {
  return fail({
    code: "provider.ambiguous",
    summary: `there are ${folders.length} providers of the package ${JSON.stringify(packageName)}`,
    detail: folders.map((folder) => `  ${folder}`).join("\n"),
    hint: "remove or rename all but one",
  });
}

function failNotDeclared(packageName: string, { folder }: PackageManifest): never {
  return fail({
    code: "provider.not-declared",
    summary: `the package ${JSON.stringify(packageName)} has no provider`,
    detail: `looked for keelson.provider in ${join(folder, "package.json")}`,
    hint: 'add "keelson": { "provider": "./provider.js" } to it',
  });
}
