import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** Runs npm to its end and returns what it prints; what goes wrong is thrown with its own words. */
export function npm(folder: string, ...args: readonly string[]): Promise<string> {
  return execute("npm", args, folder);
}

/** Runs a program to its end and returns its standard output. */
export async function execute(
  command: string,
  args: readonly string[],
  folder: string,
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    }),
  ]);
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")} ended with ${String(status)}\n${stdout}${stderr}`);
}
