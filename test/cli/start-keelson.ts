import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { keelsonScript } from "../built-package.ts";
import { onTheSandbox } from "./on-the-sandbox.ts";

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
  const child = spawn(process.execPath, [keelsonScript, ...args], {
    cwd: folder,
    env: onTheSandbox({ ...process.env, NODE_OPTIONS: "", ...env }),
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
