import {
  type FileAccess,
  localFiles,
  type ProcessOutcome,
  type ProcessRequest,
  runProcess,
  type RunProcess,
} from "../hydrate/index.ts";

/**
 * When so much time went into rounds, commands hold up the process instead: a file of many would otherwise
 * begin anew for ever.
 */
const longestRepeatingMs = 500;

/** What an evaluation was told, so that another thread can be told the same. */
export type Answer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "thrown"; readonly message: string; readonly code: string | undefined };

type Round<T> =
  | { readonly kind: "over"; readonly value: T }
  /** It was left for a command that must run first. */
  | { readonly kind: "left"; readonly command: ProcessRequest };

/**
 * Gives an evaluation the same answers in every round, in the order of its questions: all that it knows of
 * the machine it asks here, so every round goes the way of the one before it, and then further.
 */
export class Replay {
  readonly #answers: Answer[];
  #next = 0;
  #repeatingMs = 0;
  #wanted: ProcessRequest | undefined;
  readonly #onRun: (request: ProcessRequest) => void;

  constructor(onRun: (request: ProcessRequest) => void, answers: readonly Answer[] = []) {
    this.#onRun = onRun;
    this.#answers = [...answers];
  }

  /** All that has been asked so far. */
  get answers(): readonly Answer[] {
    return this.#answers;
  }

  round<T>(evaluate: (files: FileAccess, run: RunProcess) => T): Round<T> {
    this.#next = 0;
    this.#wanted = undefined;
    const started = performance.now();
    try {
      const value = evaluate(this.#files, this.#run);
      return this.#left() ?? { kind: "over", value };
    } catch (error) {
      const left = this.#left();
      if (left === undefined) throw error;
      return left;
    } finally {
      this.#repeatingMs += performance.now() - started;
    }
  }

  /** What a round came to that was left means nothing. */
  #left(): Extract<Round<unknown>, { readonly kind: "left" }> | undefined {
    return this.#wanted === undefined ? undefined : { kind: "left", command: this.#wanted };
  }

  /** What became of the command that was wanted. */
  answer(outcome: ProcessOutcome): void {
    this.#answers.push({ kind: "value", value: outcome });
  }

  readonly #files: FileAccess = {
    kindOf: (path) => this.#ask(() => localFiles.kindOf(path)),
    readText: (path) => this.#ask(() => localFiles.readText(path)),
    list: (path) => this.#ask(() => localFiles.list(path)),
    realPath: (path) => this.#ask(() => localFiles.realPath(path)),
    link: (path, directory) => this.#ask(() => localFiles.link(path, directory)),
    move: (from, to) => {
      this.#ask(() => localFiles.move(from, to));
    },
    remove: (path) => {
      this.#ask(() => localFiles.remove(path));
    },
  };

  readonly #run: RunProcess = (request) => {
    const isKnown = this.#next < this.#answers.length;
    const mustGoOn = this.#repeatingMs > longestRepeatingMs;
    if (isKnown || mustGoOn)
      return this.#ask(() => {
        this.#onRun(request);
        return runProcess(request);
      });
    this.#wanted ??= request;
    // Ends the round; nobody is told.
    throw new Error("this command has not been run yet");
  };

  #ask<T>(find: () => T): T {
    const known = this.#answers[this.#next] ?? foundBy(find);
    // What is asked after a command that is not known is asked again.
    if (this.#wanted === undefined) this.#answers[this.#next++] = known;
    if (known.kind === "value") return known.value as T;
    throw Object.assign(new Error(known.message), { code: known.code });
  }
}

function foundBy(find: () => unknown): Answer {
  try {
    return { kind: "value", value: find() };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { kind: "thrown", message, code };
  }
}
