import { type Diagnostic, DiagnosticError, fail } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonValue } from "../../json/index.ts";
import {
  buildGraph,
  deferredOf,
  DeferredValues,
  type EvaluationRun,
  type KnownOutputs,
  type Origin,
  type ProgramGraph,
  programOutputs,
  resolveValue,
  takeRejections,
} from "../../resources/index.ts";
import { takeInputs } from "./inputs.ts";
import type { LoadedModules } from "./loaded-modules.ts";
import { programComponents } from "./program-components.ts";
import { thrownDiagnostics } from "./thrown-diagnostics.ts";
import type { WorkerReply, WorkerSettings } from "./worker-messages.ts";

/** A program that has run: its graph, and the values that are still to be computed. */
export class EvaluatedProgram {
  readonly #run: EvaluationRun;
  readonly #modules: LoadedModules;
  readonly #about: { readonly settings: WorkerSettings; readonly files: readonly string[] };
  readonly #deferred = new DeferredValues();

  constructor(
    run: EvaluationRun,
    modules: LoadedModules,
    about: { readonly settings: WorkerSettings; readonly files: readonly string[] },
  ) {
    this.#run = run;
    this.#modules = modules;
    this.#about = about;
  }

  /** The graph, and everything that is wrong with the program. */
  result(
    thrown: readonly Diagnostic[],
    exported: Readonly<Record<string, unknown>>,
  ): {
    readonly graph: ProgramGraph;
    readonly diagnostics: readonly Diagnostic[];
  } {
    const { settings, files } = this.#about;
    const built = buildGraph(this.#run, this.#deferred);
    const start = { line: 1, column: 1 };
    const outputs = programOutputs(exported, built.resources, this.#deferred, {
      project: settings.project,
      env: settings.env,
      name: settings.outputsName,
      source: this.#modules.placeAt(settings.main, start) ?? { file: settings.main, start },
    });
    this.#run.close();
    const inputs = takeInputs();
    const assembled = programComponents(
      built.resources,
      inputs.directives,
      settings.namespace ?? "default",
    );
    // What the program threw may be one of the rejections, which count even when caught.
    const all = new Set([
      ...this.#run.diagnostics,
      ...takeRejections(),
      ...thrown,
      ...built.diagnostics,
      ...outputs.diagnostics,
      ...assembled.diagnostics,
    ]);
    return {
      graph: {
        project: settings.project,
        env: settings.env,
        ...(settings.namespace === undefined ? {} : { namespace: settings.namespace }),
        resources: [...built.resources, ...outputs.resources],
        components: assembled.components,
        files: [...new Set([...files, ...inputs.files])],
        notes: built.notes.map((each) => this.#complete(each)),
      },
      diagnostics: [...all].map((each) => this.#complete(each)),
    };
  }

  /** Computes a value from what the resources behind it turned out to be. */
  resolve(request: number, deferred: number, outputs: KnownOutputs): WorkerReply {
    try {
      const value = this.#deferred.at(deferred);
      const isComputed = ["map", "when", "each"].includes(deferredOf(value)?.kind ?? "");
      const found = resolveValue(value, (origin) => {
        const output = lookUp(origin, outputs);
        // What computes from a value can deal with its absence; text and objects cannot.
        return output ?? (isComputed ? null : failMissing(origin));
      });
      return { kind: "resolved", request, value: found };
    } catch (error) {
      const diagnostics =
        error instanceof DiagnosticError
          ? error.diagnostics
          : thrownDiagnostics(error, this.#modules);
      return {
        kind: "unresolved",
        request,
        diagnostics: diagnostics.map((each) => this.#complete(each)),
      };
    }
  }

  /** With the user's source beside it, and without what cannot leave the worker. */
  #complete(diagnostic: Diagnostic): Diagnostic {
    const { cause: _, source, ...rest } = diagnostic;
    return source === undefined ? rest : { ...rest, source: this.#modules.withExcerpt(source) };
  }
}

function failMissing(origin: Origin): never {
  const { resource, path } = origin;
  return fail({
    code: "program.missing-output",
    summary: `${resource.label} was applied, but has no ${path.join(".")}`,
    hint: "Say what holds without it: output(value).map((value) => value ?? …)",
    subject: resource.name,
  });
}

function lookUp({ resource, path }: Origin, outputs: KnownOutputs): JsonValue | undefined {
  let value: JsonValue | undefined = outputs.get(resource.name);
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}
