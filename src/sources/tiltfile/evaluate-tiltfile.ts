import { DiagnosticError } from "../../diagnostics/index.ts";
import { type ProcessRequest, runProcessBeside } from "../hydrate/index.ts";
import { isTooDeep } from "../starlark/index.ts";
import { loadTiltfile } from "./load-tiltfile.ts";
import { type Answer, Replay } from "./replay.ts";
import type { LoadTiltfileOptions } from "./tiltfile-options.ts";
import type { TiltfileOutput, TiltfileResult } from "./tiltfile-result.ts";

export interface EvaluateTiltfileOptions extends Omit<LoadTiltfileOptions, "files" | "run"> {
  /** Ends the evaluation, and the command that it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every command right before it runs. */
  readonly onRun?: ((request: ProcessRequest) => void) | undefined;
}

/** How far an evaluation has come: what it was told, and how many lines it has printed. */
export interface Progress {
  readonly answers: readonly Answer[];
  readonly told: number;
}

/** Runs a Tiltfile without holding up this process while its commands run. */
export async function evaluateTiltfile(options: EvaluateTiltfileOptions): Promise<TiltfileResult> {
  const { result, progress } = await evaluateRounds(options);
  if (!result.diagnostics.some(({ cause }) => isTooDeep(cause))) return result;
  // The stack of this thread is as large as it is; that of another one can be larger.
  const { evaluateDeep } = await import("./evaluate-deep.ts");
  return evaluateDeep(options, progress);
}

/**
 * Runs a Tiltfile from its beginning, or goes on where another evaluation of it came to. An evaluation cannot
 * wait in the middle: where it needs a command it is left, and begun anew when that has ended, with the same
 * answers to all that it asked before.
 */
export async function evaluateRounds(
  { signal, onRun = () => {}, ...options }: EvaluateTiltfileOptions,
  from: Progress = { answers: [], told: 0 },
): Promise<{ readonly result: TiltfileResult; readonly progress: Progress }> {
  const replay = new Replay(onRun, from.answers);
  const lines = new OnceEach(options.onOutput, from.told);
  // Replay has commands run at once after some time, so that the last round comes.
  for (;;) {
    const onOutput = lines.round();
    const round = replay.round((files, run) => loadTiltfile({ ...options, files, run, onOutput }));
    if (round.kind === "over")
      return { result: round.value, progress: { answers: replay.answers, told: lines.told } };
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
class OnceEach {
  told: number;
  readonly #tell: ((output: TiltfileOutput) => void) | undefined;

  constructor(tell: ((output: TiltfileOutput) => void) | undefined, told: number) {
    this.#tell = tell;
    this.told = told;
  }

  round(): (output: TiltfileOutput) => void {
    let count = 0;
    return (output) => {
      if (++count <= this.told) return;
      this.told = count;
      this.#tell?.(output);
    };
  }
}
