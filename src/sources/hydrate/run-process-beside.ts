import { runToEnd } from "../../processes/index.ts";
import {
  mostOutputBytes,
  outcomeOf,
  type ProcessOutcome,
  type ProcessRequest,
} from "./run-process.ts";

/** Runs a process as `runProcess` does, while others go on. The signal ends it with all that it started. */
export async function runProcessBeside(
  request: ProcessRequest,
  signal?: AbortSignal,
): Promise<ProcessOutcome> {
  return outcomeOf(await runToEnd({ ...request, mostOutputBytes, signal }), request);
}
