/**
 * Runs inside a worker: waits to be told a program and evaluates it, then answers for its values until
 * it is ended.
 */
import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { divertOutput } from "../../processes/divert-output.ts";
import { beginRun, EvaluationRun, setPlaceFinder } from "../../resources/index.ts";
import { beginConfig } from "./config.ts";
import { EvaluatedProgram } from "./evaluated-program.ts";
import { beginInputs } from "./inputs.ts";
import { rewriteCacheIn } from "./instrument/index.ts";
import { LoadedModules } from "./loaded-modules.ts";
import { hookModules } from "./module-hooks.ts";
import { ModulePackages } from "./module-packages.ts";
import { ownFiles } from "./own-files.ts";
import { showOriginalStacks } from "./stack-frames.ts";
import { placesOf, thrownDiagnostics } from "./thrown-diagnostics.ts";
import type { WorkerReply, WorkerRequest, WorkerSettings } from "./worker-messages.ts";

const { library, folder } = ownFiles();
// Whoever is told late has loaded early.
const told = firstMessage();
await import(library.href);
const settings = await told;
const packages = new ModulePackages({ name: settings.project, folder: settings.projectFolder });
const modules = new LoadedModules(settings.workingFolder, fileURLToPath(folder));
const run = new EvaluationRun({
  env: settings.env,
  stage: settings.stage,
  hasProvider: (name) => name === "keelson" || packages.hasProvider(name),
  currentPlace: () => placesOf(new Error("place"), modules)[0],
  manifestOf: (name) => packages.manifestOf(name),
});
showOriginalStacks(modules);
setPlaceFinder((error) => placesOf(error, modules)[0]);
let isFinished = false;
let isLoaded = false;
let exported: Readonly<Record<string, unknown>> = {};

beginRun(run);
beginInputs({
  folder: dirname(settings.main),
  environment: definedOnly(process.env),
  currentPlace: run.settings.currentPlace,
});
beginConfig({
  env: settings.env,
  values: settings.values,
  file: settings.environmentFile,
  currentPlace: run.settings.currentPlace,
});
hookModules({
  library: library.href,
  packages,
  modules,
  cache:
    settings.cache === undefined
      ? undefined
      : rewriteCacheIn(settings.cache.folder, settings.cache.version),
});
divertOutput({ keepsPaths: false });
process.on("uncaughtException", (error) => {
  finish(thrownDiagnostics(error, modules));
});
// Code that nobody awaits belongs to the program too: it is over when nothing is left to run.
process.once("beforeExit", () => {
  finish(isLoaded ? [] : [unsettled()]);
});
try {
  exported = (await import(pathToFileURL(settings.main).href)) as Readonly<Record<string, unknown>>;
  isLoaded = true;
} catch (error) {
  finish(thrownDiagnostics(error, modules));
}

function finish(thrown: readonly Diagnostic[]): void {
  if (isFinished) return;
  isFinished = true;
  const program = new EvaluatedProgram(run, modules, {
    settings,
    files: [...settings.projectFiles, ...modules.files, ...packages.files],
  });
  post({ kind: "evaluated", ...program.result(thrown, exported) });
  parentPort?.on("message", ({ request, deferred, outputs }: WorkerRequest) => {
    post(program.resolve(request, deferred, outputs));
  });
}

async function firstMessage(): Promise<WorkerSettings> {
  if (parentPort === null) throw new Error("this is no worker");
  const [settings] = (await once(parentPort, "message")) as [WorkerSettings];
  return settings;
}

function post(reply: WorkerReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have none
  parentPort?.postMessage(reply);
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
}

function unsettled(): Diagnostic {
  return {
    code: "program.unfinished",
    severity: "error",
    summary: "The program awaits something that never comes",
    detail: `${settings.main} has nothing left to run, and its top-level await is not settled.`,
    hint: "Look for a promise that nobody resolves",
  };
}
