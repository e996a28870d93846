import { DiagnosticError } from "../../diagnostics/index.ts";
import { type ProcessRequest, runProcessBeside } from "../hydrate/index.ts";
import { loadTiltfile } from "./load-tiltfile.ts";
import { Replay } from "./replay.ts";
import type { LoadTiltfileOptions } from "./tiltfile-options.ts";
import type { TiltfileOutput, TiltfileResult } from "./tiltfile-result.ts";

export interface EvaluateTiltfileOptions extends Omit<LoadTiltfileOptions, "files" | "run"> {
  /** Ends the evaluation, and the command that it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every command right before it runs. */
  readonly onRun?: ((request: ProcessRequest) => void) | undefined;
}

/**
 * Runs a Tiltfile without holding up this process while its commands run. An evaluation cannot wait in the
 * middle: where it needs a command it is left, and begun anew when that has ended, with the same answers to
 * all that it asked before.
 */
export async function evaluateTiltfile({
  signal,
  onRun = () => {},
  ...options
}: EvaluateTiltfileOptions): Promise<TiltfileResult> {
  const replay = new Replay(onRun);
  const onOutput = onceEach(options.onOutput);
  // Replay has commands run at once after some time, so that the last round comes.
  for (;;) {
    const round = replay.round((files, run) =>
      loadTiltfile({ ...options, files, run, onOutput: onOutput() }),
    );
    if (round.kind === "over") return round.value;
    onRun(round.command);
    replay.answer(await runProcessBeside(round.command, signal));
    if (signal?.aborted === true)
      throw new DiagnosticError([
        {
          code: "tiltfile.stopped",
          severity: "error",
          summary: `The evaluation of ${options.path} was interrupted`,
        },
      ]);
  }
}

/** Every round prints what the rounds before it have printed, and then more. */
function onceEach(
  tell: ((output: TiltfileOutput) => void) | undefined,
): () => (output: TiltfileOutput) => void {
  let told = 0;
  return () => {
    let count = 0;
    return (output) => {
      if (++count <= told) return;
      told = count;
      tell?.(output);
    };
  };
}
