import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Fields that only mean something in the checkout; npm asks users about scripts of packages. */
const ofCheckout: readonly string[] = ["scripts", "devDependencies", "overrides", "allowScripts"];

/** Leaves in package.json what users of the package need. */
export async function reduceManifest(folder: string): Promise<void> {
  const file = join(folder, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, unknown>>;
  const published = Object.entries(manifest).filter(([field]) => !ofCheckout.includes(field));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(published), undefined, 2)}\n`);
}
