import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";

export type { ChildProcess } from "node:child_process";

/**
 * Starts a program in a group of its own: a Ctrl-C on the terminal does not reach it, and it can be ended
 * with everything that it started.
 */
export function startChild(
  [program = "", ...args]: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "shell" | "stdio">,
): ChildProcess {
  return spawn(program, args, { ...options, detached: true });
}
