import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { forgetReaping, spawnReaped } from "../../providers/process/reaper.ts";
import { signalGroup } from "../../providers/process/signal-group.ts";
import {
  failure,
  mostOutputBytes,
  type ProcessOutcome,
  type ProcessRequest,
} from "./run-process.ts";

/**
 * Runs a process as `runProcess` does, while others go on. The signal ends it with all that it started;
 * where there is none, it stays in the group of this process, which Ctrl-C reaches.
 */
export async function runProcessBeside(
  request: ProcessRequest,
  signal?: AbortSignal,
): Promise<ProcessOutcome> {
  const [program = "", ...args] = request.command;
  const { promise, resolve } = Promise.withResolvers<ProcessOutcome>();
  const isAlone = signal !== undefined;
  const { directory: cwd, environment: env } = request;
  const child = isAlone
    ? spawnReaped(program, args, { cwd, env, stdin: "pipe" })
    : spawn(program, args, { cwd, env, stdio: "pipe" });
  const { pid } = child;
  if (isAlone && pid !== undefined) {
    // What it leaves running when it is over is meant to stay.
    child.once("exit", () => {
      forgetReaping(pid);
    });
  }
  const end = (code: string): void => {
    if (isAlone) signalGroup(pid, "SIGKILL");
    else child.kill("SIGKILL");
    resolve(failure(Object.assign(new Error("it was interrupted"), { code }), request));
  };
  const timer = setTimeout(end, request.timeoutMs, "ETIMEDOUT");
  const abort = (): void => {
    end("ABORT_ERR");
  };
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  const tooMuch = (): void => {
    end("ENOBUFS");
  };
  const stdout = collect(child.stdout, tooMuch);
  const stderr = collect(child.stderr, tooMuch);
  // It may end without reading what it was given: its own status says how it went.
  child.stdin?.on("error", () => undefined).end(request.input ?? "");
  child.once("error", (error) => {
    resolve(failure(error, request));
  });
  child.once("close", (status) => {
    const said = { stdout: stdout(), stderr: stderr() };
    resolve({ kind: "ended", status: status ?? undefined, ...said });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    // Others may hold them open: nobody reads them any more.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** All that is printed, as text; tells when it is too much. */
function collect(output: Readable, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  output.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostOutputBytes) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
