import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { forgetReaping, spawnReaped } from "../../providers/process/reaper.ts";
import { signalGroup } from "../../providers/process/signal-group.ts";
import type { LocalCommand } from "../../sources/tiltfile/index.ts";

export interface LocalProcess {
  /** The exit code; undefined when it could not be started or was ended by a signal. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends it with all that it started, and waits until it is over. */
  readonly stop: () => Promise<void>;
}

export interface ProcessEnd {
  readonly code: number | undefined;
  /** How it ended, for the user. */
  readonly message: string;
}

const killAfterMs = 5_000;
const longestLine = 16_000;

/** Starts a command of this machine in a group of its own, so that whatever it starts ends with it. */
export function startLocalProcess(
  { command: [program = "", ...args], directory, environment }: LocalCommand,
  outer: Readonly<Record<string, string | undefined>>,
  onLine: (line: string, output: "stdout" | "stderr") => void,
): LocalProcess {
  const child = spawnReaped(program, args, {
    cwd: directory,
    env: { ...outer, ...environment },
    stdin: "ignore",
  });
  const { pid } = child;
  if (pid !== undefined) {
    child.once("exit", () => {
      forgetWhenEmpty(pid);
    });
  }
  const read = (["stdout", "stderr"] as const).map((output) => {
    const lines = createInterface({ input: child[output], crlfDelay: Infinity });
    lines.on("line", (line) => {
      onLine(line.slice(0, longestLine), output);
    });
    return new Promise<void>((resolve) => lines.once("close", resolve));
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (error) => {
      resolve({ code: undefined, message: `it could not be started: ${error.message}` });
    });
    child.once("exit", (code, signal) => {
      const message = signal === null ? `it ended with code ${code ?? 0}` : `${signal} ended it`;
      // A grandchild may hold the outputs open; its lines are not worth waiting for.
      const lines = Promise.race([
        Promise.all(read),
        new Promise((done) => setTimeout(done, 200).unref()),
      ]);
      void lines.then(() => {
        resolve({ code: code ?? undefined, message });
      });
    });
  });
  return { ended, stop: () => stopGroup(child, ended) };
}

/** The first of a group may go before the others; while one is there, its number is not given away. */
function forgetWhenEmpty(pid: number): void {
  if (!signalGroup(pid, 0)) forgetReaping(pid);
}

async function stopGroup(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.pid === undefined) return;
  signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child.pid, "SIGKILL");
  }, killAfterMs);
  await ended;
  clearTimeout(timer);
  // The first of the group may have gone before the others.
  signalGroup(child.pid, "SIGKILL");
  forgetReaping(child.pid);
}
