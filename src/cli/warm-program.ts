import { inputPaths } from "../engine/source/input-paths.ts";
import { programPath } from "../engine/source/program-path.ts";
import { tiltfilePath } from "../engine/source/tiltfile-path.ts";
import type { CliContext } from "./context.ts";
import { hostOf } from "./host-of.ts";

/** Begins to start the worker of a program, if the input is one, while the command itself is loaded. */
export async function warmProgram(
  context: CliContext,
  ...inputs: readonly string[]
): Promise<void> {
  const [path, ...others] = inputPaths(hostOf(context), inputs);
  if (path === undefined || others.length > 0) return;
  if ((await tiltfilePath(path)) !== undefined || (await programPath(path)) === undefined) return;
  const { warmWorker } = await import("../sources/program/program-worker.ts");
  warmWorker();
}
