import { spawnSync } from "node:child_process";
import type { RunOutcome, RunRequest } from "./run-to-end.ts";

/** Runs a command as `runToEnd` does, while nothing else goes on: for callers that cannot wait. */
export function runToEndSync(request: Omit<RunRequest, "signal" | "isInteractive">): RunOutcome {
  const [program = "", ...args] = request.command;
  const ended = spawnSync(program, args, {
    cwd: request.directory,
    env: request.environment,
    input: request.input ?? "",
    timeout: request.timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: request.mostOutputBytes,
    encoding: "utf8",
  });
  const error: NodeJS.ErrnoException | undefined = ended.error;
  if (error?.code === "ETIMEDOUT") return { kind: "stopped", why: "timeout" };
  if (error?.code === "ENOBUFS") return { kind: "stopped", why: "too-much-output" };
  // It may end without reading what it was given: its own status says how it went.
  if (error !== undefined && error.code !== "EPIPE") return { kind: "not-started", error };
  const { status, signal, stdout, stderr } = ended;
  return {
    kind: "ended",
    status: status ?? undefined,
    endedBy: signal ?? undefined,
    stdout,
    stderr,
  };
}
