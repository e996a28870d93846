import { spawnSync } from "node:child_process";

export interface ProcessRequest {
  /** The program and its arguments; no shell is between. */
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
}

export type ProcessOutcome =
  | {
      readonly kind: "ended";
      /** 0 is success; undefined when a signal ended it. */
      readonly status: number | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "not-found" }
  | { readonly kind: "failed"; readonly reason: string };

/** Runs a process to its end. */
export type RunProcess = (request: ProcessRequest) => ProcessOutcome;

export const mostOutputBytes = 64 * 1024 * 1024;

/** Runs a process of this machine; one that takes too long or says too much is ended. */
export const runProcess: RunProcess = (request) => {
  const [program = "", ...args] = request.command;
  const ended = spawnSync(program, args, {
    cwd: request.directory,
    env: request.environment,
    input: request.input ?? "",
    timeout: request.timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: mostOutputBytes,
    encoding: "utf8",
  });
  const error: SystemError | undefined = ended.error;
  if (error !== undefined && !leftInputUnread(error)) return failure(error, request);
  return {
    kind: "ended",
    status: ended.status ?? undefined,
    stdout: ended.stdout,
    stderr: ended.stderr,
  };
};

/** What Node says, without its own type: projects that check types need not have those of Node. */
interface SystemError extends Error {
  readonly code?: string | undefined;
}

/** A process may end without reading what it was given: its own status says how it went. */
function leftInputUnread(error: SystemError): boolean {
  return error.code === "EPIPE";
}

/** Why a process came to no end of its own. */
export function failure(
  error: SystemError,
  { timeoutMs }: Pick<ProcessRequest, "timeoutMs">,
): ProcessOutcome {
  if (error.code === "ENOENT") return { kind: "not-found" };
  if (error.code === "ETIMEDOUT") {
    return { kind: "failed", reason: `it did not end within ${timeoutMs / 1000} s` };
  }
  if (error.code === "ENOBUFS") return { kind: "failed", reason: "it printed more than 64 MiB" };
  return { kind: "failed", reason: error.message };
}
