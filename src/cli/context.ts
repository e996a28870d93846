import type { CommandContext } from "@stricli/core";
import type { Readable } from "node:stream";
import { createStyle, type Style } from "./style.ts";
import { throughBoundary } from "./terminal.ts";

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
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
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
  const { env } = options;
  const stdout = bounded(options.stdout);
  const stderr = bounded(options.stderr);
  const logColors = !refusesColor(options);
  return {
    // The framework decides its own colour by this variable only.
    process: { stdout, stderr, env: { ...env, STRICLI_NO_COLOR: "1" } },
    stdin: options.stdin,
    workingDirectory: options.workingDirectory,
    version: options.version,
    style: {
      stdout: createStyle({ colors: wantsColor(stdout, options), logColors }),
      stderr: createStyle({ colors: wantsColor(stderr, options), logColors }),
    },
  };
}

/** The stream as commands get it: nothing that they write acts on the terminal but what is our own. */
function bounded(stream: OutputStream): OutputStream {
  return {
    write: (text) => stream.write(throughBoundary(text)),
    get isTTY() {
      return stream.isTTY ?? false;
    },
    // The window may change its size at any time.
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

function refusesColor({ color, env }: ContextOptions): boolean {
  return !color || (env["NO_COLOR"] ?? "") !== "";
}

function wantsColor(stream: OutputStream, options: ContextOptions): boolean {
  const { env } = options;
  if (refusesColor(options)) return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
