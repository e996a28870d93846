import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const longestMs = 120_000;

/** Installs into a folder as somebody does who has never used npm before. */
export async function npmInstall(folder: string, ...args: readonly string[]): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "keelson-npm-home-"));
  try {
    // Where packages come from is a matter of the machine: its registry, and its cache, which saves
    // downloading the same again in every run.
    const [cache, userconfig] = await Promise.all([setting("cache"), setting("userconfig")]);
    const env = { HOME: home, npm_config_cache: cache, npm_config_userconfig: userconfig };
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier"];
    await npm(folder, ["install", ...quiet, ...args], env);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Runs npm, on the Node of this process, and gives what it prints. */
export async function npm(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const { stdout } = await promisify(execFile)("npm", args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "", PATH: path, ...env },
    timeout: longestMs,
  });
  return stdout;
}

async function setting(name: string): Promise<string> {
  return (await npm(tmpdir(), ["config", "get", name])).trim();
}
