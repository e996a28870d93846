import type { CommandContext } from "@stricli/core";
import type { Readable } from "node:stream";
import picocolors from "picocolors";

type Style = ReturnType<typeof picocolors.createColors>;

/** What a command may touch of the machine; the tests give it their own. */
export interface CliContext extends CommandContext {
  readonly process: {
    readonly stdout: OutputStream;
    readonly stderr: OutputStream;
    readonly env: Readonly<Partial<Record<string, string>>>;
    exitCode?: number | string | null;
  };
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly workingDirectory: string;
  readonly version: string;
  /** Colours for standard output and for standard error; plain where colour is off. */
  readonly style: { readonly stdout: Style; readonly stderr: Style };
  /** What a command is given in the place of this one, which is only for the framework's messages. */
  readonly forCommands?: CliContext;
}

export interface OutputStream {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface ContextOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: CliContext["stdin"];
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly workingDirectory: string;
  readonly version: string;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export function createContext(options: ContextOptions): CliContext {
  const { stdout, stderr, env } = options;
  return {
    // The framework decides its own colour by this variable only.
    process: { stdout, stderr, env: { ...env, STRICLI_NO_COLOR: "1" } },
    stdin: options.stdin,
    workingDirectory: options.workingDirectory,
    version: options.version,
    style: {
      stdout: picocolors.createColors(wantsColor(stdout, options)),
      stderr: picocolors.createColors(wantsColor(stderr, options)),
    },
  };
}

function wantsColor(stream: OutputStream, { color, env }: ContextOptions): boolean {
  if (!color || (env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
