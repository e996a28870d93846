import { join, resolve } from "node:path";
import { loadModule } from "./load-module.ts";
import { isPath, nodeModulesAbove } from "./package-places.ts";
import { readManifest } from "./read-declaration.ts";

const loadMs = 10_000;

export type FoundModule =
  | { readonly kind: "module"; readonly value: unknown; readonly file: string }
  | { readonly kind: "missing"; readonly message: string; readonly places: readonly string[] };

/**
 * What a package names under a field of `keelson` in its package.json, loaded; the package is found as
 * Node finds it, in `node_modules` of the folder or above, or by a path.
 */
export async function findModule(
  packageName: string,
  field: "bundlePlugin",
  folder: string,
): Promise<FoundModule> {
  const places = isPath(packageName)
    ? [resolve(folder, packageName)]
    : nodeModulesAbove(folder).map((each) => join(each, packageName));
  for (const place of places) {
    const manifest = await readManifest(place);
    if (manifest === undefined) continue;
    const path = manifest[field];
    if (typeof path !== "string")
      return {
        kind: "missing",
        message: `${join(place, "package.json")} names no ${field}`,
        places,
      };
    return { kind: "module", ...(await loadModule({ packageName, folder: place, path, loadMs })) };
  }
  return { kind: "missing", message: `the package ${packageName} was not found`, places };
}
