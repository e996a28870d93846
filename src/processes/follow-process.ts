import { cutLines } from "./cut-lines.ts";
import { forgetReaping, spawnReaped } from "./reaper.ts";
import { signalGroup } from "./signal-group.ts";

export interface FollowRequest {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: string, output: "stdout" | "stderr") => void;
  /** Lines are cut here. */
  readonly longestLine: number;
  /** How long to wait for lines that a grandchild may still print; until all outputs are closed unless given. */
  readonly outputGraceMs?: number | undefined;
  /** Ends it with all that it started. */
  readonly signal?: AbortSignal | undefined;
}

/** How a process ended; without a code and a signal it could not be started. */
export interface ProcessEnd {
  readonly code: number | undefined;
  readonly endedBy: NodeJS.Signals | undefined;
  readonly startError: Error | undefined;
}

export interface FollowedProcess {
  readonly ended: Promise<ProcessEnd>;
  /** Ends it with all that it started, and waits until it is over. */
  readonly stop: () => Promise<void>;
}

const killAfterMs = 5_000;

/** Starts a command and follows what it prints. It ends with this process, however that ends. */
export function followProcess(request: FollowRequest): FollowedProcess {
  const { directory, environment, onLine, longestLine, outputGraceMs, signal } = request;
  const [program = "", ...args] = request.command;
  const child = spawnReaped(program, args, { cwd: directory, env: environment, stdin: "ignore" });
  const { pid } = child;
  if (pid !== undefined) {
    child.once("exit", () => {
      // The first of a group may go before the others; while one is there, its number is not given away.
      if (!signalGroup(pid, 0)) forgetReaping(pid);
    });
  }
  const read = (["stdout", "stderr"] as const).map((output) => {
    return cutLines(child[output], longestLine, (line) => {
      onLine(line, output);
    });
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (startError) => {
      resolve({ code: undefined, endedBy: undefined, startError });
    });
    child.once("exit", (code, endedBy) => {
      const grace =
        outputGraceMs === undefined
          ? []
          : [new Promise((done) => setTimeout(done, outputGraceMs).unref())];
      void Promise.race([Promise.all(read), ...grace]).then(() => {
        const end = { code: code ?? undefined, endedBy: endedBy ?? undefined };
        resolve({ ...end, startError: undefined });
      });
    });
  });
  const stop = async (): Promise<void> => {
    if (pid === undefined) return;
    signalGroup(pid, "SIGTERM");
    const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), killAfterMs);
    await ended;
    clearTimeout(timer);
    // The first of the group may have gone before the others.
    signalGroup(pid, "SIGKILL");
    forgetReaping(pid);
  };
  const onAbort = (): void => void stop();
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  void ended.then(() => signal?.removeEventListener("abort", onAbort));
  return { ended, stop };
}
