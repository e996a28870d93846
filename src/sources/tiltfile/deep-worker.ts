/** Runs in a thread of its own, whose stack is larger than that of the process: evaluates one Tiltfile. */
import { parentPort, workerData } from "node:worker_threads";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { DeepReply, DeepRequest } from "./evaluate-deep.ts";
import { evaluateRounds } from "./evaluate-tiltfile.ts";
import { packed } from "./portable-result.ts";

/** More would not fit the stack, where each call stands in an expression of some depth. */
const callDepth = 100_000;

const { options, progress } = workerData as DeepRequest;
const stopped = new AbortController();
parentPort?.once("message", () => {
  stopped.abort();
});

try {
  const { result } = await evaluateRounds(
    {
      ...options,
      limits: { ...options.limits, callDepth },
      signal: stopped.signal,
      onRun: (command) => {
        reply({ kind: "run", command });
      },
      onOutput: (output) => {
        reply({ kind: "output", output });
      },
    },
    progress,
  );
  reply({ kind: "over", result: packed(result, options.namespace) });
} catch (error) {
  if (!(error instanceof DiagnosticError)) throw error;
  reply({ kind: "failed", diagnostics: error.diagnostics });
}

function reply(message: DeepReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
  parentPort?.postMessage(message);
}
