import { compileRegularExpression } from "../schema/index.ts";
import type { CompileProblem } from "./compile-problem.ts";
import type { CelCall } from "./expression.ts";
import { readDuration, readTimestamp } from "./read-time.ts";

/** A literal that cannot be what the function reads from it is a mistake before anything runs. */
export function literalProblem(call: CelCall): CompileProblem | undefined {
  const argument = call.args.at(-1);
  if (argument?.kind !== "literal" || typeof argument.value !== "string") return undefined;
  const isRight = checks[call.name]?.(argument.value) ?? true;
  if (isRight) return undefined;
  return { position: argument.position, message: `invalid ${call.name} argument` };
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  timestamp: (text) => readTimestamp(text) !== undefined,
  duration: (text) => readDuration(text) !== undefined,
  matches: (text) => typeof compileRegularExpression(text) !== "string",
};
