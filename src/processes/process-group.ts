import { constants } from "node:os";
import type { ChildProcess } from "./start-child.ts";
import { signalGroup } from "./signal-group.ts";

const killAfterMs = 5_000;
const killedBySignal = 128;
/** What shells answer for a command that cannot be started. */
export const couldNotStart = 127;

/** Asks a group to end, and ends it if it does not. */
export function stopGroup(child: ChildProcess): void {
  signalGroup(child.pid, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child.pid, "SIGKILL");
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
