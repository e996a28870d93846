import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { forgetReaping, spawnReaped } from "./reaper.ts";
import { signalGroup } from "./signal-group.ts";

export interface RunRequest {
  readonly command: readonly string[];
  /** The folder of this process unless given. */
  readonly directory?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  readonly mostOutputBytes: number;
  /** Ends it with all that it started; where there is none, it stays in the group of this process, which Ctrl-C reaches. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it may talk to the user: it has the terminal, and what it says beside its output is not kept. */
  readonly isInteractive?: boolean | undefined;
}

export type RunOutcome =
  | {
      readonly kind: "ended";
      /** 0 is success; undefined when a signal ended it. */
      readonly status: number | undefined;
      readonly endedBy: NodeJS.Signals | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "not-started"; readonly error: NodeJS.ErrnoException }
  | { readonly kind: "stopped"; readonly why: "timeout" | "abort" | "too-much-output" };

/** Runs a command to its end; one that takes too long or prints too much is ended. */
export async function runToEnd(request: RunRequest): Promise<RunOutcome> {
  const { directory = process.cwd(), environment, signal, isInteractive = false } = request;
  const [program = "", ...args] = request.command;
  const { promise, resolve } = Promise.withResolvers<RunOutcome>();
  const child =
    signal === undefined
      ? spawn(program, args, {
          cwd: directory,
          env: environment,
          stdio: isInteractive ? ["inherit", "pipe", "inherit"] : "pipe",
        })
      : spawnReaped(program, args, { cwd: directory, env: environment, stdin: "pipe" });
  const { pid } = child;
  if (signal !== undefined && pid !== undefined) {
    // What it leaves running when it is over is meant to stay.
    child.once("exit", () => {
      forgetReaping(pid);
    });
  }
  const end = (why: "timeout" | "abort" | "too-much-output"): void => {
    if (signal === undefined) child.kill("SIGKILL");
    else signalGroup(pid, "SIGKILL");
    resolve({ kind: "stopped", why });
  };
  const timer = setTimeout(end, request.timeoutMs, "timeout");
  const onAbort = (): void => {
    end("abort");
  };
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) onAbort();
  const onTooMuch = (): void => {
    end("too-much-output");
  };
  const stdout = collect(child.stdout, request.mostOutputBytes, onTooMuch);
  const stderr = collect(child.stderr, request.mostOutputBytes, onTooMuch);
  // It may end without reading what it was given: its own status says how it went.
  child.stdin?.on("error", () => undefined).end(request.input ?? "");
  child.once("error", (error) => {
    resolve({ kind: "not-started", error });
  });
  child.once("close", (status, endedBy) => {
    const how = { status: status ?? undefined, endedBy: endedBy ?? undefined };
    resolve({ kind: "ended", ...how, stdout: stdout(), stderr: stderr() });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // Others may hold them open: nobody reads them any more.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** All that is printed, as text; tells when it is too much. */
function collect(output: Readable | null, most: number, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  output?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}
