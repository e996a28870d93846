import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../..");

/** A running example, in a process of its own. */
export interface ExampleProcess {
  readonly child: ChildProcess;
  /** Resolves with the first line of its log that has been or will be written and holds a text. */
  readonly logged: (text: string) => Promise<string>;
  readonly exited: Promise<number | null>;
}

/** Starts `node examples/…` as a user would, with the package of this checkout. */
export function startExample(file: string, env: Readonly<Record<string, string>>): ExampleProcess {
  const preload = join(root, "test/cli/from-package.ts");
  const child = spawn(process.execPath, ["--import", preload, join(root, "examples", file)], {
    env: { ...process.env, NODE_OPTIONS: "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const logged = async (text: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const look = (): void => {
      const found = lines.find((line) => line.includes(text));
      if (found !== undefined) resolve(found);
    };
    waiting.add(look);
    look();
    void exited.then(() => {
      resolve(undefined);
    });
    const found = await promise;
    waiting.delete(look);
    if (found === undefined) throw new Error(`${file} ended:\n${lines.join("\n")}`);
    return found;
  };
  return { child, logged, exited };
}
