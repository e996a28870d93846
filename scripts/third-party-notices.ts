import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A package whose code is inside a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface PackageNotice extends BundledPackage {
  readonly text: string;
}

/** The licences of packages whose code is inside a bundle, as their licences ask for. */
export async function thirdPartyNotices(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
  const notices = await Promise.all([...folders].toSorted().map(readNotice));
  return [
    "# Third-party notices",
    "",
    "Keelson's own licence is in LICENSE. The page of the dashboard (dist/web) holds code of these packages.",
    "Packages that are installed beside Keelson bring their licences along. The types, schemas and descriptions",
    "of the built-in kinds are made from the API of Kubernetes, copyright The Kubernetes Authors, Apache-2.0.",
    ...notices.flatMap(({ name, version, license, text }) => [
      "",
      `## ${name} ${version} (${license})`,
      "",
      text,
    ]),
    "",
  ].join("\n");
}

/** The packages that such notices are about. */
export function packagesInNotices(notices: string): readonly BundledPackage[] {
  return [...notices.matchAll(/^## (\S+) (\S+) \(([^()]+)\)$/gm)].map(
    ([, name = "", version = "", license = ""]) => ({ name, version, license }),
  );
}

const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

function packageFolder(module: string): string | undefined {
  return inPackage.exec(module.replaceAll("\\", "/").replace(/^\0/, ""))?.[0];
}

async function readNotice(folder: string): Promise<PackageNotice> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as BundledPackage;
  const file = (await readdir(folder)).find((each) => /^licen[cs]e(?:\.|$)/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled, but has no file with its licence`);
  return { name, version, license, text: (await readFile(join(folder, file), "utf8")).trim() };
}
