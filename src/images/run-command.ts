import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { signalGroup } from "../providers/process/signal-group.ts";

export interface CommandRequest {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of every line that it prints, of both outputs. */
  readonly onLine: (line: string) => void;
}

export interface CommandEnd {
  /** The exit code; undefined when it could not be started or was ended. */
  readonly status: number | undefined;
  /** Its last lines, or why it could not be started. */
  readonly lastLines: readonly string[];
}

/** Runs a command to its end, or until the signal ends it with all that it started. */
export type RunCommand = (request: CommandRequest) => Promise<CommandEnd>;

const mostLastLines = 20;
const longestLine = 4_000;
const killAfterMs = 5_000;

export const runCommand: RunCommand = async ({
  command: [program = "", ...args],
  directory,
  environment,
  signal,
  onLine,
}) => {
  const lastLines: string[] = [];
  const note = (line: string): void => {
    const text = line.slice(0, longestLine);
    lastLines.push(text);
    if (lastLines.length > mostLastLines) lastLines.shift();
    onLine(text);
  };
  if (signal.aborted) return { status: undefined, lastLines: ["it was interrupted"] };
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: whatever it starts must end with it.
    detached: true,
  });
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(child.pid, "SIGTERM");
    killing = setTimeout(() => signalGroup(child.pid, "SIGKILL"), killAfterMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  const read = [child.stdout, child.stderr].map((stream) => {
    const lines = createInterface({ input: stream });
    lines.on("line", note);
    return new Promise<void>((resolve) => lines.once("close", resolve));
  });
  const status = await new Promise<number | undefined>((resolve) => {
    child.once("error", (error) => {
      lastLines.push(error.message);
      resolve(undefined);
    });
    child.once("close", (code) => {
      void Promise.all(read).then(() => {
        resolve(code ?? undefined);
      });
    });
  });
  signal.removeEventListener("abort", stop);
  clearTimeout(killing);
  return { status, lastLines };
};
