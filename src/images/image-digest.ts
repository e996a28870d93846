import { createHash } from "node:crypto";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../diagnostics/index.ts";
import type { BuildDefinition, CustomBuild, DockerBuild } from "./build-definition.ts";
import { contextFiles } from "./context-files.ts";
import { ignorePatterns } from "./ignore-patterns.ts";

/**
 * A short text that stands for everything that goes into an image: the same input gives the same text
 * on every machine, and any change gives another one.
 *
 * `bases` has the built references of declared images that this one is built from.
 */
export async function imageDigest(
  build: BuildDefinition,
  bases: ReadonlyMap<string, string>,
): Promise<string> {
  const hash = createHash("sha256");
  const add = (label: string, value: string | Buffer): void => {
    hash.update(`${label}\0${value.length}\0`).update(value).update("\0");
  };
  add("bases", JSON.stringify([...bases].toSorted(([left], [right]) => (left < right ? -1 : 1))));
  if (build.kind === "docker") await addDockerBuild(build, add);
  else await addCustomBuild(build, add);
  return hash.digest("hex").slice(0, 16);
}

type Add = (label: string, value: string | Buffer) => void;

async function addDockerBuild(build: DockerBuild, add: Add): Promise<void> {
  const { dockerfile, buildArgs, target, platform, network, extraHosts } = build;
  add("settings", JSON.stringify({ buildArgs, target, platform, network, extraHosts }));
  await requireThere(build, build.context);
  if (dockerfile.kind === "file") await requireThere(build, dockerfile.path);
  add(
    "dockerfile",
    dockerfile.kind === "text" ? dockerfile.text : await readFile(dockerfile.path, "utf8"),
  );
  for (const { path, file, isLink } of await contextFiles(build))
    await addFile(path, file, isLink, add);
}

async function addCustomBuild(build: CustomBuild, add: Add): Promise<void> {
  const { command, environment, dependencies, ignore, tag } = build;
  add("settings", JSON.stringify({ command, environment, tag }));
  const isIgnored = ignorePatterns(ignore);
  for (const dependency of [...dependencies].sort()) await addTree(dependency, "", isIgnored, add);
}

async function addTree(
  root: string,
  inside: string,
  isIgnored: (path: string) => boolean,
  add: Add,
): Promise<void> {
  const path = join(root, inside);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    add(`missing ${inside}`, "");
  } else if (found.isDirectory()) {
    const names = (await readdir(path).catch(orGone<string[]>([]))).sort();
    for (const name of names)
      await addTree(root, inside === "" ? name : `${inside}/${name}`, isIgnored, add);
  } else if (inside === "" || !isIgnored(inside)) {
    await addFile(inside, path, false, add);
  }
}

/** Times and owners change with every checkout; what is in a file and whether it runs does not. */
async function addFile(path: string, file: string, isLink: boolean, add: Add): Promise<void> {
  if (isLink) {
    add(`link ${path}`, await readlink(file).catch(orGone("")));
    return;
  }
  const found = await stat(file).catch(orGone(undefined));
  const content = await readFile(file).catch(orGone(undefined));
  if (found === undefined || content === undefined) return;
  add(`file ${path} ${found.mode & 0o111 ? "x" : "-"}`, content);
}

/** Files come and go while they are looked at, such as those that editors write beside others. */
function orGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };
}

async function requireThere({ reference, source }: DockerBuild, path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined)) !== undefined) return;
  fail({
    code: "images.file-missing",
    summary: `${reference} cannot be built: ${path} is not there`,
    subject: reference,
    source,
  });
}
