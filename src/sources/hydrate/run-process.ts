import { type RunOutcome, runToEndSync } from "../../processes/index.ts";

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
export const runProcess: RunProcess = (request) =>
  outcomeOf(runToEndSync({ ...request, mostOutputBytes }), request);

/** How a process ended, in words for a Tiltfile. */
export function outcomeOf(
  outcome: RunOutcome,
  { timeoutMs }: Pick<ProcessRequest, "timeoutMs">,
): ProcessOutcome {
  switch (outcome.kind) {
    case "ended": {
      const { status, stdout, stderr } = outcome;
      return { kind: "ended", status, stdout, stderr };
    }
    case "not-started":
      return outcome.error.code === "ENOENT"
        ? { kind: "not-found" }
        : { kind: "failed", reason: outcome.error.message };
    case "stopped":
      return { kind: "failed", reason: stopReasons(timeoutMs)[outcome.why] };
  }
}

function stopReasons(
  timeoutMs: number,
): Readonly<Record<Extract<RunOutcome, { kind: "stopped" }>["why"], string>> {
  return {
    timeout: `it did not end within ${timeoutMs / 1000} s`,
    abort: "it was interrupted",
    "too-much-output": "it printed more than 64 MiB",
  };
}
