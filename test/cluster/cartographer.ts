import { glob, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type KubernetesObject, readObjectsFromText } from "../../src/objects/index.ts";
import type { GoProgram } from "./binaries.ts";

/** Real Cartographer, for what must be as it is there. */
export const cartographer: GoProgram = {
  name: "cartographer",
  module: "cartographer",
  package: "github.com/vmware-tanzu/cartographer/cmd/cartographer",
  version: "v0.7.0",
};

/** Its definitions are files of its module. */
export async function cartographerDefinitions(): Promise<readonly KubernetesObject[]> {
  const modules = process.env["GOMODCACHE"] ?? join(homedir(), "go", "pkg", "mod");
  const folder = join(
    modules,
    "github.com",
    "vmware-tanzu",
    `cartographer@${cartographer.version}`,
  );
  const objects: KubernetesObject[] = [];
  for await (const file of glob("config/crd/bases/*.yaml", { cwd: folder })) {
    const text = await readFile(join(folder, file), "utf8");
    objects.push(...readObjectsFromText(file, text).objects.map(({ object }) => object));
  }
  return objects;
}
