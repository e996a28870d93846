import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";

const killAfterMs = 5000;
const killedBySignal = 128;
/** What shells answer for a command that cannot be started. */
export const couldNotStart = 127;

/** Starts a program in a group of its own, so that whatever it starts ends with it. */
export function spawnGroup(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdio: SpawnOptions["stdio"],
  options: { readonly shell: boolean },
): ChildProcess {
  const [program = "", ...args] = command;
  return spawn(program, args, {
    shell: options.shell,
    detached: true,
    stdio,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...environment,
    },
  });
}

/** Asks a group to end, and ends it if it does not. */
export function stopGroup(child: ChildProcess): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
  }, killAfterMs);
  timer.unref();
  child.once("close", () => {
    clearTimeout(timer);
  });
}

/** The code by which shells tell how a program ended. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? killedBySignal + constants.signals[signal ?? "SIGTERM"];
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
