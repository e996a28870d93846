import { Worker } from "node:worker_threads";
import { ownFiles } from "./own-files.ts";
import type { WorkerSettings } from "./worker-messages.ts";

/** A worker that has loaded what every program needs, and waits to be told which one to evaluate. */
let warm: Worker | undefined;

const forget = (): void => {
  warm = undefined;
};

/** Begins to start a worker for the program that will be evaluated soon, beside whatever is done before. */
export function warmWorker(): void {
  if (warm !== undefined) return;
  warm = newWorker(undefined);
  // It must not keep a process that came to need none, nor end one because it could not begin.
  warm.unref();
  warm.once("error", forget);
  warm.once("exit", forget);
}

/** A worker that evaluates one program: the one that was begun ahead, if it will do. */
export function startWorker(settings: WorkerSettings, memoryMb: number | undefined): Worker {
  const worker = memoryMb === undefined ? takeWarm() : newWorker(memoryMb);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
  worker.postMessage(settings);
  return worker;
}

function takeWarm(): Worker {
  const worker = warm;
  if (worker === undefined) return newWorker(undefined);
  worker.off("error", forget);
  worker.off("exit", forget);
  worker.ref();
  warm = undefined;
  return worker;
}

function newWorker(memoryMb: number | undefined): Worker {
  return new Worker(ownFiles().worker, {
    stdout: true,
    stderr: true,
    execArgv: [],
    name: "program",
    ...(memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
  });
}
