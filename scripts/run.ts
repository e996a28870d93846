import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface Finished {
  readonly status: number;
  readonly output: string;
  readonly elapsedMs: number;
}

/** Runs a tool of the checkout and keeps what it prints. */
export function capture(command: string, args: readonly string[]): Promise<Finished> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(tool(command), args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    child.stderr.on("data", (chunk) => (output += String(chunk)));
    child.on("error", reject);
    child.on("close", (status) => {
      resolve({ status: status ?? 1, output, elapsedMs: performance.now() - started });
    });
  });
}

/** Runs a tool of the checkout on the user's terminal. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool(command), args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (status) => {
      resolve(status ?? 1);
    });
  });
}

/** `node` means the Node that runs this script, everything else a binary of a dependency. */
function tool(command: string): string {
  return command === "node" ? process.execPath : join(root, "node_modules", ".bin", command);
}

/** The CPU time of all ended children and theirs, where the system tells (Linux). */
export function childrenCpuSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
