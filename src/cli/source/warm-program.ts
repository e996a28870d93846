import type { CliContext } from "../context.ts";
import { inputPaths } from "../input-paths.ts";
import { programPath } from "./program-path.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

/** Begins to start the worker of a program, if the input is one, while the command itself is loaded. */
export async function warmProgram(
  context: CliContext,
  ...inputs: readonly string[]
): Promise<void> {
  const [path, ...others] = inputPaths(context, inputs);
  if (path === undefined || others.length > 0) return;
  if ((await tiltfilePath(path)) !== undefined || (await programPath(path)) === undefined) return;
  const { warmWorker } = await import("../../sources/program/program-worker.ts");
  warmWorker();
}
