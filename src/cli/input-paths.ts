import { resolve } from "node:path";
import type { CliContext } from "./context.ts";

/** Inputs as they are read: as the user wrote them, unless the command runs in another directory. */
export function inputPaths(context: CliContext, inputs: readonly string[]): readonly string[] {
  if (context.workingDirectory === process.cwd()) return inputs;
  return inputs.map((input) => (input === "-" ? input : resolve(context.workingDirectory, input)));
}
