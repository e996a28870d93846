import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import { builtFolder } from "../../processes/built-folder.ts";
import type { ProcessRequest } from "../hydrate/index.ts";
import type { EvaluateTiltfileOptions, Progress } from "./evaluate-tiltfile.ts";
import { type PortableResult, unpacked } from "./portable-result.ts";
import type { TiltfileOutput, TiltfileResult } from "./tiltfile-result.ts";

/** Of which only what is used takes memory. */
const stackMb = 256;

/** What the thread is told first; after that it is only told to stop. */
export interface DeepRequest {
  readonly options: Omit<EvaluateTiltfileOptions, "signal" | "onRun" | "onOutput">;
  readonly progress: Progress;
}

export type DeepReply =
  | { readonly kind: "run"; readonly command: ProcessRequest }
  | { readonly kind: "output"; readonly output: TiltfileOutput }
  | { readonly kind: "over"; readonly result: PortableResult }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] };

/** Evaluates again, in a thread with room for more calls, what came too deep for this one. */
export async function evaluateDeep(
  { signal, onRun, onOutput, ...options }: EvaluateTiltfileOptions,
  progress: Progress,
): Promise<TiltfileResult> {
  const environment = { ...options.environment };
  const request: DeepRequest = { options: { ...options, environment }, progress };
  const worker = new Worker(new URL("tiltfile-worker.js", builtFolder()), {
    workerData: request,
    execArgv: [],
    name: "tiltfile",
    resourceLimits: { stackSizeMb: stackMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<TiltfileResult>();
  worker.on("message", (reply: DeepReply) => {
    if (reply.kind === "run") onRun?.(reply.command);
    else if (reply.kind === "output") onOutput?.(reply.output);
    else if (reply.kind === "over") resolve(unpacked(reply.result));
    else reject(new DiagnosticError(reply.diagnostics));
  });
  worker.once("error", reject);
  const stop = (): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
    worker.postMessage("stop");
  };
  signal?.addEventListener("abort", stop);
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
