import { decodeText } from "./byte-text.ts";

/** A running program went wrong; builtins of the host throw it too. The message is text. */
export class EvaluationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EvaluationError";
  }
}

/** The program took more steps, memory or depth than it may. */
export class LimitError extends EvaluationError {
  constructor(message: string) {
    super(message);
    this.name = "LimitError";
  }
}

/** More calls inside calls than it may make. */
export class DepthError extends LimitError {
  constructor(message: string) {
    super(message);
    this.name = "DepthError";
  }
}

/** Whether a larger stack, and a higher limit, might let the program go on. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof DepthError || isStackOverflow(error);
}

/** The engine's own stack ends a nesting that the counted limits let through. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Throws with a message that may hold the bytes of Starlark strings. */
export function raise(message: string): never {
  throw new EvaluationError(decodeText(message));
}

/** Puts the name of a builtin before the message of whatever goes wrong inside. */
export function named<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof LimitError || !(error instanceof EvaluationError)) throw error;
    throw new EvaluationError(`${name}: ${error.message}`, { cause: error.cause });
  }
}
