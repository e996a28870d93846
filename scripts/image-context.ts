/**
 * Puts together what the image holds, in `build/image/`: the pinned Node, the shared libraries that it is
 * linked with, `dist/`, and the packages that are needed to run. Linux only, as the image is.
 */
import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "./run.ts";

const image = resolve(root, process.argv[2] ?? "build/image");
await rm(image, { recursive: true, force: true });

const node = join(root, "node_modules/node/bin/node");
await copy(node, "bin/node");
for (const library of librariesOf(node)) await copy(library, library.slice(1));
for (const part of ["bin", "dist", "package.json", "LICENSE"])
  await copy(join(root, part), join("app", part));
for (const folder of await packagesToRun()) await copy(join(root, folder), join("app", folder));
// Some functions of Node ask who the user is.
await mkdir(join(image, "etc"), { recursive: true });
await writeFile(join(image, "etc/passwd"), "keelson:x:65532:65532:keelson:/tmp:/bin/node\n");
await mkdir(join(image, "tmp"), { recursive: true, mode: 0o1777 });
console.log(`the context of the image is in ${image}`);

async function copy(from: string, to: string): Promise<void> {
  const target = join(image, to);
  await mkdir(dirname(target), { recursive: true });
  await cp(from, target, { recursive: true, dereference: true });
}

/** What the dynamic linker loads, itself included. */
function librariesOf(program: string): readonly string[] {
  const listed = execFileSync("ldd", [program], { encoding: "utf8" });
  return listed.split("\n").flatMap((line) => /(\/\S+\.so\S*)/.exec(line)?.[1] ?? []);
}

/** Installed packages that are not only for development, as the lockfile says. */
async function packagesToRun(): Promise<readonly string[]> {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<
      Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>
    >;
  };
  return Object.entries(packages)
    .filter(
      ([folder, { dev, devOptional }]) => folder !== "" && dev !== true && devOptional !== true,
    )
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(root, folder)));
}
