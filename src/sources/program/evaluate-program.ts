import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Worker } from "node:worker_threads";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonValue } from "../../json/index.ts";
import type { KnownOutputs, ProgramGraph } from "../../resources/index.ts";
import {
  exitedDiagnostic,
  goneDiagnostic,
  isOutOfMemory,
  memoryDiagnostic,
  stoppedDiagnostic,
  timeoutDiagnostic,
} from "./evaluation-problems.ts";
import { hidingSecrets } from "./hide-secrets.ts";
import { outputsName } from "./inventory-name.ts";
import { ownFiles } from "./own-files.ts";
import { startWorker } from "./program-worker.ts";
import { type ProgramProject, type ProjectOptions, readProgramProject } from "./project.ts";
import { withFrames } from "./resource-frames.ts";
import type { WorkerReply, WorkerRequest, WorkerSettings } from "./worker-messages.ts";

export interface EvaluateOptions extends ProjectOptions {
  /** What paths in messages are relative to. */
  readonly workingFolder: string;
  /** Where the program's own output goes. */
  readonly print: (text: string) => void;
  readonly timeoutMs?: number | undefined;
  /** How long computing one value may take while applying. */
  readonly resolveTimeoutMs?: number | undefined;
  /** How much memory the program may use, in megabytes; as much as Node lets it unless told. */
  readonly memoryMb?: number | undefined;
  /** Stops the evaluation, whatever the program is doing. */
  readonly signal?: AbortSignal | undefined;
  /** Outputs that an earlier stage made known: these resources' properties are plain values. */
  readonly stage?: KnownOutputs | undefined;
  /** Where rewritten modules may be kept for the next time. */
  readonly cacheFolder?: string | undefined;
}

/** A program that has been evaluated, and whose worker still lives. */
export interface Evaluation {
  readonly graph: ProgramGraph;
  readonly diagnostics: readonly Diagnostic[];
  /** Computes a value that was not known, from what is known now. */
  readonly resolve: (deferred: number, outputs: KnownOutputs) => Promise<JsonValue>;
  readonly close: () => Promise<void>;
}

const defaultTimeoutMs = 60_000;

/** Evaluates a program in a worker of its own: modules cannot be unloaded, nor loops be broken. */
export async function evaluateProgram(options: EvaluateOptions): Promise<Evaluation> {
  const project = readProgramProject(options);
  const worker = begin(project, options);
  const evaluated = await firstReply(worker, project, options);
  // Whoever asks it waits with a time limit; nobody waits because it was not closed.
  worker.unref();
  const timeoutMs = options.resolveTimeoutMs ?? defaultTimeoutMs;
  const resolve = hidingSecrets(answers(worker, project, timeoutMs), evaluated.graph);
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  const graph = withFrames(evaluated.graph, options.workingFolder);
  return { ...evaluated, graph, resolve, close };
}

function begin(project: ProgramProject, options: EvaluateOptions): Worker {
  const settings: WorkerSettings = {
    main: project.main,
    project: project.name,
    projectFolder: dirname(project.files[0] ?? project.main),
    env: project.env,
    namespace: project.namespace,
    values: project.values,
    environmentFile: project.environmentFile,
    outputsName: outputsName({ project: project.name, env: project.env }),
    projectFiles: project.files,
    workingFolder: options.workingFolder,
    stage: options.stage ?? new Map(),
    ...(options.cacheFolder === undefined
      ? {}
      : { cache: { folder: options.cacheFolder, version: versionOf(ownFiles().worker) } }),
  };
  const worker = startWorker(settings, options.memoryMb);
  worker.stdout.setEncoding("utf8").on("data", options.print);
  worker.stderr.setEncoding("utf8").on("data", options.print);
  return worker;
}

/** Another build of Keelson may rewrite otherwise. */
function versionOf(worker: URL): string {
  return String(Math.round(statSync(worker).mtimeMs));
}

type Evaluated = Pick<Evaluation, "graph" | "diagnostics">;

async function firstReply(
  worker: Worker,
  project: ProgramProject,
  options: EvaluateOptions,
): Promise<Evaluated> {
  const { timeoutMs = defaultTimeoutMs, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Evaluated>();
  const stop = (diagnostic: Diagnostic): void => {
    reject(new DiagnosticError([diagnostic]));
    void worker.terminate();
  };
  const timer = setTimeout(() => {
    stop(timeoutDiagnostic(project, timeoutMs));
  }, timeoutMs);
  const abort = (): void => {
    stop(stoppedDiagnostic(project));
  };
  signal?.addEventListener("abort", abort);
  worker.once("message", (reply: WorkerReply) => {
    if (reply.kind === "evaluated") resolve({ graph: reply.graph, diagnostics: reply.diagnostics });
  });
  worker.once("error", (error) => {
    reject(isOutOfMemory(error) ? new DiagnosticError([memoryDiagnostic(project)]) : error);
  });
  worker.once("exit", () => {
    reject(new DiagnosticError([exitedDiagnostic(project)]));
  });
  try {
    if (signal?.aborted === true) abort();
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Sends questions to the worker and hands out its answers by their number. */
function answers(
  worker: Worker,
  project: ProgramProject,
  timeoutMs: number,
): Evaluation["resolve"] {
  const open = new Map<number, PromiseWithResolvers<JsonValue>>();
  let last = 0;
  let ended: Diagnostic | undefined;
  const endAll = (reason: Diagnostic): void => {
    ended ??= reason;
    for (const waiting of open.values()) waiting.reject(new DiagnosticError([reason]));
    open.clear();
  };
  worker.on("message", (reply: WorkerReply) => {
    if (reply.kind === "evaluated") return;
    const waiting = open.get(reply.request);
    open.delete(reply.request);
    if (reply.kind === "resolved") waiting?.resolve(reply.value);
    else waiting?.reject(new DiagnosticError(reply.diagnostics));
  });
  worker.on("exit", () => {
    endAll(goneDiagnostic());
  });
  worker.on("error", () => {
    endAll(goneDiagnostic());
  });
  return async (deferred, outputs) => {
    if (ended !== undefined) throw new DiagnosticError([ended]);
    const request = ++last;
    const waiting = Promise.withResolvers<JsonValue>();
    open.set(request, waiting);
    const timer = setTimeout(() => {
      endAll(timeoutDiagnostic(project, timeoutMs));
      void worker.terminate();
    }, timeoutMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
    worker.postMessage({ kind: "resolve", request, deferred, outputs } satisfies WorkerRequest);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  };
}
