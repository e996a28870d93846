import { PassThrough } from "node:stream";
import type { RunningCommand } from "../connections/pod-connection.ts";
import { couldNotStart, exitCodeOf, stopGroup } from "../../processes/index.ts";
import { spawnContainer } from "./spawn-container.ts";

/** Runs a command with the environment of a container's process, in the same folder. */
export function runBeside(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  { stdin }: { readonly stdin: boolean },
): RunningCommand {
  const child = spawnContainer(command, environment, [stdin ? "pipe" : "ignore", "pipe", "pipe"], {
    shell: false,
  });
  child.stdin?.on("error", () => undefined);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  let isOver = false;
  const exit = new Promise<number>((resolve) => {
    const finish = (code: number): void => {
      isOver = true;
      stdout.end();
      stderr.end();
      resolve(code);
    };
    child.once("error", ({ message }) => {
      stderr.write(`cannot run ${command[0] ?? ""}: ${message}\n`);
      finish(couldNotStart);
    });
    child.once("close", (code, signal) => {
      finish(exitCodeOf(code, signal));
    });
  });
  return {
    stdin: child.stdin ?? undefined,
    stdout,
    stderr,
    exit,
    stop: () => {
      if (!isOver) stopGroup(child);
    },
  };
}
