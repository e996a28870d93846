import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface StartedKeelson {
  readonly child: ChildProcess;
  /** The next line of its standard output; undefined when it has ended. */
  readonly nextLine: () => Promise<string | undefined>;
  readonly exited: Promise<number | null>;
  readonly errors: () => string;
}

/** Starts the command line in a process of its own. */
export function startKeelson(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): StartedKeelson {
  const script = join(dirname(fileURLToPath(import.meta.url)), "keelson.ts");
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    nextLine: async () => {
      const { value, done } = await lines.next();
      return done === true ? undefined : value;
    },
    exited: new Promise((resolve) => child.on("exit", resolve)),
    errors: () => errors,
  };
}
