import { Readable } from "node:stream";
import { createContext } from "../../src/cli/context.ts";
import { runCommandLine } from "../../src/cli/main.ts";
import { onTheSandbox } from "./on-the-sandbox.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
  readonly terminal?: boolean;
  /** Called with each text, right when it is written. */
  readonly onStdout?: (text: string) => void;
}

/** A command line in, the whole console out, in this process. */
export async function runKeelson(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: options.terminal ?? false,
    write: (text: string) => {
      written[name] += text;
      if (name === "stdout") options.onStdout?.(text);
    },
  });
  const context = createContext({
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    stdin: Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), {
      isTTY: options.terminal ?? false,
    }),
    env: onTheSandbox(options.env ?? {}),
    workingDirectory: options.workingDirectory ?? process.cwd(),
    version: "0.0.0-test",
    color: !args.includes("--no-color"),
  });
  const code = await runCommandLine(args, context);
  return { code, ...written };
}
