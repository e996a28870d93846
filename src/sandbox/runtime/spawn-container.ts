import { type ChildProcess, startChild } from "../../processes/index.ts";

/** Starts the command of a container: with its own environment, and little of this process's. */
export function spawnContainer(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdio: Parameters<typeof startChild>[1]["stdio"],
  options: { readonly shell: boolean },
): ChildProcess {
  return startChild(command, {
    shell: options.shell,
    stdio,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ...environment,
    },
  });
}
