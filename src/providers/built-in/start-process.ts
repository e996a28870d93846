import { signalGroup, startChild, makeFolder } from "../../processes/index.ts";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessIdentity } from "./process-book.ts";
import { startOf } from "./process-facts.ts";
import type { Launch, Machine } from "./run-group.ts";

export interface StartFiles {
  readonly logFile: string;
  readonly startedFile: string;
}

/**
 * The process writes down its own number before it becomes the command, so that it is found even if
 * Keelson is killed right after starting it.
 */
const writeNumberThenRun =
  '{ echo $$; cat /proc/$$/stat 2>/dev/null || LC_ALL=C ps -o lstart= -p $$; } >"$1.new" && mv "$1.new" "$1"; ' +
  'shift; exec "$@" 3>&-';
const settleMs = 300;
const mostLinesShown = 10;
const askEveryMs = 50;
const killedWithinMs = 2_000;

/** Starts a process that outlives this one; one that ends at once is an error. */
export async function startProcess(
  { argv, directory, environment }: Launch,
  machine: Machine,
  { logFile, startedFile }: StartFiles,
): Promise<ProcessIdentity> {
  makeFolder(dirname(logFile), { mode: 0o700 });
  const log = await open(logFile, "a", 0o600);
  const { size } = await log.stat();
  const child = startChild(["/bin/sh", "-c", writeNumberThenRun, "keelson", startedFile, ...argv], {
    cwd: directory,
    env: { ...machine.environment, ...environment },
    stdio: ["ignore", log.fd, log.fd, "pipe"],
  });
  const ended = once(child, "exit").then(
    ([code, signal]: (number | string | null)[]) =>
      code === null ? `was ended by ${signal}` : `ended with exit code ${code}`,
    (error: unknown) => `could not be started in ${directory}: ${(error as Error).message}`,
  );
  const numbered = child.stdio[3];
  // Listened to before anything is awaited: it may be closed a moment later, and says so once.
  const takenOver =
    numbered !== null && numbered !== undefined && "resume" in numbered
      ? once(numbered.resume(), "close")
      : undefined;
  await log.close();
  // Closed when the command takes over; whether it can run shows in the next moment.
  if (takenOver !== undefined) await Promise.race([takenOver, ended]);
  const settled = new AbortController();
  const how = await Promise.race([
    ended,
    pause(settleMs, undefined, { signal: settled.signal }).catch(() => undefined),
  ]);
  settled.abort();
  const start = child.pid === undefined ? undefined : await startOf(child.pid);
  if (how !== undefined || start === undefined || child.pid === undefined) {
    throw new Error(
      [
        `${argv.join(" ")} ${how ?? "ended"} as soon as it was started`,
        ...(await last(logFile, size)),
      ].join("\n"),
    );
  }
  child.unref();
  return { pid: child.pid, start };
}

/** Ends a process and everything in its group: asked first, forced after the grace. */
export async function endProcess(
  { pid, start }: ProcessIdentity,
  graceMs: number,
  signal: AbortSignal,
): Promise<void> {
  if ((await startOf(pid)) !== start) return;
  signalGroup(pid, "SIGTERM");
  if (await groupEnds(pid, graceMs, signal)) return;
  signalGroup(pid, "SIGKILL");
  if (await groupEnds(pid, killedWithinMs, signal)) return;
  // What has ended but is not yet collected by its parent counts as ended.
  if ((await startOf(pid)) === start) throw new Error(`the process ${pid} does not end`);
}

async function groupEnds(pid: number, withinMs: number, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += askEveryMs) {
    signal.throwIfAborted();
    if (!isGroupThere(pid)) return true;
    await pause(askEveryMs);
  }
  return !isGroupThere(pid);
}

function isGroupThere(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function last(logFile: string, from: number): Promise<readonly string[]> {
  const written = await readFile(logFile).catch(() => Buffer.alloc(0));
  const lines = written.subarray(from).toString("utf8").trimEnd().split("\n");
  return lines
    .filter((line) => line !== "")
    .slice(-mostLinesShown)
    .map((line) => `| ${line}`);
}
