/** The machine of somebody who has just installed the package into an empty folder. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";

const systemFolders = ["/usr/local/bin", "/usr/bin", "/bin"];

export interface ReaderHome {
  readonly home: string;
  /** Where the package is installed. */
  readonly folder: string;
  /** What a login gives, and nothing else: no XDG folders, no CI, no cluster. */
  readonly env: Readonly<Record<string, string>>;
}

export async function makeReaderHome(): Promise<ReaderHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "keelson-terminal-")));
  const folder = join(home, "work");
  const tools = join(home, "bin");
  const temporary = join(home, "tmp");
  for (const each of [folder, tools, temporary]) await mkdir(each);
  // npm would ask the network for a newer npm, and say so on the terminal.
  await writeFile(join(home, ".npmrc"), "update-notifier=false\n");
  for (const [name, path] of await toolPaths()) await symlink(path, join(tools, name));
  await copyProject(inject("installed"), folder);
  return {
    home,
    folder,
    env: {
      HOME: home,
      PATH: [tools, ...systemFolders].join(delimiter),
      LANG: "C.UTF-8",
      USER: userInfo().username,
      SHELL: "/bin/bash",
      // What is left there goes with everything else.
      TMPDIR: temporary,
    },
  };
}

async function toolPaths(): Promise<readonly (readonly [name: string, path: string])[]> {
  return [
    ["node", process.execPath],
    ["npm", await pathOf("npm")],
    ["npx", await pathOf("npx")],
    ["kubectl", await kubectlPath()],
    ["helm", await helmPath()],
  ];
}

async function pathOf(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `command -v ${name}`]);
  return realpath(stdout.trim());
}

/** The files of packages are linked, because nobody writes them; those of the project are copied. */
async function copyProject(from: string, to: string): Promise<void> {
  for (const name of await readdir(from))
    if (name === "node_modules")
      await promisify(execFile)("cp", ["-al", join(from, name), join(to, name)]);
    else await cp(join(from, name), join(to, name));
}
