import { dirname, isAbsolute, join } from "node:path";
import { parseImageReference, type Directive } from "../../assembly/index.ts";
import { DiagnosticError, type Diagnostic } from "../../diagnostics/index.ts";
import {
  createInterpreter,
  encodeText,
  EvaluationError,
  type Interpreter,
  type StarlarkSource,
} from "../starlark/index.ts";
import { Extensions } from "./builtins/extensions.ts";
import { reportIgnoredSettings } from "./builtins/ignored-settings.ts";
import { reportUnusedSteps } from "./builtins/live-update.ts";
import { checkBuilds } from "./check-builds.ts";
import { tiltfileBuiltins } from "./tiltfile-builtins.ts";
import type { LoadTiltfileOptions } from "./tiltfile-options.ts";
import type { TiltfileResult } from "./tiltfile-result.ts";
import { TiltfileState } from "./tiltfile-state.ts";

/**
 * Runs a Tiltfile and gives what it said as data. Errors that do not stop the file are collected, so
 * that one run reports as many as there are.
 */
export function loadTiltfile(options: LoadTiltfileOptions): TiltfileResult {
  const state = new TiltfileState(options);
  const extensions = new Extensions(state);
  const interpreter: Interpreter = createInterpreter({
    builtins: tiltfileBuiltins(state, extensions, () => interpreter),
    load: (module, from) => openModule(state, extensions, module, from),
    print: (text, position) => {
      const source = position === undefined ? undefined : state.rangeOf(position);
      state.print({ kind: "print", text, source });
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const problems = runMain(state, interpreter);
  const isExit = state.exitMessage !== undefined;
  const isFailed = problems.length > 0 && !isExit;
  if (isFailed) state.diagnostics.push(...problems);
  else {
    reportUnusedSteps(state);
    checkBuilds(state);
  }
  reportIgnoredSettings(state);
  return {
    ending: isExit ? "exit" : isFailed ? "failed" : "end",
    ...(isExit ? { exitMessage: state.exitMessage ?? "" } : {}),
    objects: state.objects,
    directives: withDeclaredBases(state.directives),
    builds: state.builds,
    localResources: state.localResources,
    customDeploys: state.customDeploys,
    settings: state.settings,
    watchedPaths: [...state.watchedPaths],
    features: state.features,
    output: state.output,
    diagnostics: state.diagnostics,
  };
}

function runMain(state: TiltfileState, interpreter: Interpreter): readonly Diagnostic[] {
  let main: StarlarkSource;
  try {
    main = openFile(state, state.mainPath, "__main__", state.options.text);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
  state.watch(join(dirname(state.mainPath), ".tiltignore"));
  return interpreter.run(main).diagnostics;
}

/** Finds what `load` and `include` name; relative paths start at the file that loads. */
function openModule(
  state: TiltfileState,
  extensions: Extensions,
  module: string,
  from: string,
): StarlarkSource {
  if (module.startsWith("ext://")) {
    const name = module.slice("ext://".length);
    return openFile(state, extensions.find(name), name);
  }
  const path = isAbsolute(module) ? join(module) : join(dirname(state.absolutePath(from)), module);
  const isDirectory = state.files.kindOf(path) === "directory";
  const file = isDirectory ? join(path, "Tiltfile") : path;
  if (file === state.mainPath) throw new EvaluationError("cycle in load graph");
  return openFile(state, file, module);
}

function openFile(state: TiltfileState, path: string, name: string, text?: string): StarlarkSource {
  return {
    ...state.readProgram(path, text),
    builtins: { __file__: encodeText(path), __name__: encodeText(name) },
  };
}

/** Of the images that a build starts from, only those matter that are built too. */
function withDeclaredBases(directives: readonly Directive[]): readonly Directive[] {
  const declared = new Map<string, string>();
  for (const directive of directives) {
    if (directive.kind === "image")
      declared.set(imageKey(directive.reference), directive.reference);
  }
  return directives.map((directive) => {
    if (directive.kind !== "image") return directive;
    const { baseImages = [], ...rest } = directive;
    const bases = baseImages.flatMap((image) => {
      const found = declared.get(imageKey(image)) ?? declared.get(repositoryKey(image));
      return found === undefined || found === directive.reference ? [] : [found];
    });
    return bases.length === 0 ? rest : { ...rest, baseImages: [...new Set(bases)] };
  });
}

/** A reference spelled out, so that `nginx` and `docker.io/library/nginx` are the same. */
function imageKey(image: string): string {
  const parsed = parseImageReference(image);
  if (parsed === undefined) return image;
  return parsed.tag === undefined ? parsed.repository : `${parsed.repository}:${parsed.tag}`;
}

function repositoryKey(image: string): string {
  return parseImageReference(image)?.repository ?? image;
}
