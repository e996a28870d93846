import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { JsonObject } from "../../objects/index.ts";
import { isJsonObject } from "../../objects/index.ts";
import { textOf } from "./input-shape.ts";
import { signalGroup } from "../process/signal-group.ts";
import { splitLines } from "../process/split-lines.ts";

/** What the resources of this machine need to know of it. */
export interface Machine {
  readonly projectFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder of the user's own for what must be remembered. */
  readonly stateFolder: string;
}

/** A command as it is started: everything that decides what it does. */
export interface Launch {
  readonly argv: readonly string[];
  readonly directory: string;
  /** What is set beside the environment of Keelson itself. */
  readonly environment: Readonly<Record<string, string>>;
}

export function launchOf(command: unknown, inputs: JsonObject, { projectFolder }: Machine): Launch {
  const argv = Array.isArray(command) ? command.map(String) : ["/bin/sh", "-c", String(command)];
  const environment = inputs["environment"];
  return {
    argv,
    directory: resolve(projectFolder, textOf(inputs, "directory")),
    environment: isJsonObject(environment)
      ? Object.fromEntries(
          Object.keys(environment).map((name) => [name, textOf(environment, name)]),
        )
      : {},
  };
}

export interface RunEnd {
  readonly exitCode: number | undefined;
  /** How it ended, in words. */
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
}

const mostOutput = 256 * 1024;
const longestLine = 1024 * 1024;
const killAfterMs = 5_000;

/** Runs a command to its end, with everything it starts; the signal ends them all. */
export async function runGroup(
  { argv: [program = "", ...args], directory, environment }: Launch,
  machine: Machine,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<RunEnd> {
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...machine.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stdout = keepLines(log);
  const stderr = keepLines(log);
  const onTooLong = (): void => {
    log("… a line is too long: the rest of this output is left out");
  };
  splitLines(child.stdout, { longest: longestLine, onLine: stdout.add, onTooLong });
  splitLines(child.stderr, { longest: longestLine, onLine: stderr.add, onTooLong });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    signalGroup(child.pid, "SIGTERM");
    timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), killAfterMs);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  try {
    return await new Promise<RunEnd>((settle, reject) => {
      child.once("error", (error) => {
        reject(new Error(`${program} could not be started: ${error.message}`, { cause: error }));
      });
      child.once("close", (code, endedBy) => {
        const how = code === null ? `was ended by ${endedBy}` : `ended with exit code ${code}`;
        settle({ exitCode: code ?? undefined, how, stdout: stdout.all(), stderr: stderr.all() });
      });
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** The first lines of an output, without the newlines at its end, as a shell would take them. */
function keepLines(log: (line: string) => void): {
  readonly add: (line: string) => void;
  readonly all: () => string;
} {
  const lines: string[] = [];
  let length = 0;
  return {
    add: (line) => {
      log(line);
      length += line.length + 1;
      if (length <= mostOutput) lines.push(line);
    },
    all: () => lines.join("\n").trimEnd(),
  };
}
