import type { Diagnostic } from "../../diagnostics/index.ts";
import { analyse } from "./analyse.ts";
import { decodeText, encodeText } from "./byte-text.ts";
import { universe } from "./builtins/universe.ts";
import { compileTopLevel, startPosition } from "./evaluate/compile-function.ts";
import { Frame } from "./evaluate/frame.ts";
import type { ModuleScope } from "./evaluate/module-scope.ts";
import { Thread } from "./evaluate/thread.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { defaultLimits, Meter, type Limits } from "./limits.ts";
import { freeze } from "./operations/freeze.ts";
import { sizeOf } from "./operations/size.ts";
import { evaluationFailure, RunFailure } from "./run-failure.ts";
import type { Position } from "./syntax/position.ts";
import type { SyntaxTree } from "./syntax/syntax-tree.ts";
import { StarlarkObject, type Value } from "./values/value.ts";
import type { KeywordArguments } from "./values/callable.ts";

export interface StarlarkSource {
  /** What positions name, and what a file is loaded only once by. */
  readonly path: string;
  readonly text: string;
  /** Names that only this file finds. */
  readonly builtins?: Readonly<Record<string, Value>>;
}

/** What a `load` statement gets: a file to be run, or values that the host has ready. */
export type LoadedModule = StarlarkSource | { readonly globals: ReadonlyMap<string, Value> };

export interface InterpreterOptions {
  /** Names that programs find besides those of the language. */
  readonly builtins?: Readonly<Record<string, Value>>;
  /** Finds what a `load` statement names; `from` is the path of the loading file. */
  readonly load?: (module: string, from: string) => LoadedModule;
  readonly print?: (text: string, position: Position | undefined) => void;
  readonly limits?: Partial<Limits>;
}

export interface RunResult<T> {
  /** Undefined when there are errors. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Interpreter {
  /** Runs a file to its end; its globals, which are then frozen, come back by name. */
  run(source: StarlarkSource): RunResult<ReadonlyMap<string, Value>>;
  /** Calls a function of a program after it has run. */
  call(callee: Value, args: readonly Value[], keywords?: KeywordArguments): RunResult<Value>;
}

/** One program: the files it loads, its limits and what the host adds to the language. */
export function createInterpreter(options: InterpreterOptions = {}): Interpreter {
  return new StarlarkInterpreter(options);
}

type ModuleState =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly globals: ReadonlyMap<string, Value> }
  | { readonly kind: "failed"; readonly failure: RunFailure };

class StarlarkInterpreter implements Interpreter {
  readonly #options: InterpreterOptions;
  readonly #predeclared: ReadonlyMap<string, Value>;
  readonly #meter: Meter;
  readonly #modules = new Map<string, ModuleState>();
  readonly #texts = new Map<string, string>();
  readonly #threads: Thread[] = [];
  readonly #globals: (readonly (Value | undefined)[])[] = [];

  constructor(options: InterpreterOptions) {
    this.#options = options;
    this.#predeclared = byEncodedName(options.builtins);
    const limits = { ...defaultLimits, ...options.limits };
    this.#meter = new Meter(limits, () => sizeOf(this.#liveValues()));
  }

  run(source: StarlarkSource): RunResult<ReadonlyMap<string, Value>> {
    return this.#guard(() => {
      const globals = this.#execute(source);
      return new Map([...globals].map(([name, value]) => [decodeText(name), value]));
    });
  }

  call(callee: Value, args: readonly Value[], keywords?: KeywordArguments): RunResult<Value> {
    return this.#guard(() => this.#inThread((thread) => thread.call(callee, [...args], keywords)));
  }

  #guard<T>(run: () => T): RunResult<T> {
    try {
      return { value: run(), diagnostics: [] };
    } catch (error) {
      if (error instanceof RunFailure) return { value: undefined, diagnostics: error.diagnostics };
      throw error;
    }
  }

  /** Runs a file; its globals are keyed by the bytes of their names. */
  #execute(source: StarlarkSource): ReadonlyMap<string, Value> {
    this.#texts.set(source.path, source.text);
    const predeclared =
      source.builtins === undefined
        ? this.#predeclared
        : new Map([...this.#predeclared, ...byEncodedName(source.builtins)]);
    const { tree, resolution } = analyse(source, predeclared, this.#texts);
    const globals: (Value | undefined)[] = [];
    for (const _ of resolution.moduleGlobals) globals.push(undefined);
    this.#globals.push(globals);
    this.#inThread((thread) => {
      runTopLevel(thread, tree, {
        meter: this.#meter,
        resolution,
        globals,
        predeclared,
        universal: universe,
      });
    });
    const named = new Map<string, Value>();
    for (const [index, { name }] of resolution.moduleGlobals.entries()) {
      const value = globals[index];
      if (value !== undefined) named.set(name, value);
    }
    freeze(named.values());
    return named;
  }

  #inThread<T>(run: (thread: Thread) => T): T {
    const outerDepth = this.#threads.at(-1)?.depth ?? 0;
    const host = {
      print: this.#options.print ?? (() => undefined),
      load: (module: string, from: Thread) => this.#load(module, from),
    };
    const thread = new Thread(this.#meter, host, outerDepth);
    this.#threads.push(thread);
    try {
      return run(thread);
    } catch (error) {
      throw evaluationFailure(error, thread.callStack(), this.#texts);
    } finally {
      this.#threads.pop();
    }
  }

  #load(module: string, thread: Thread): ReadonlyMap<string, Value> {
    try {
      return this.#loadModule(module, thread.position?.file ?? "");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new EvaluationError(`cannot load ${module}: ${reason}`, { cause: error });
    }
  }

  #loadModule(module: string, from: string): ReadonlyMap<string, Value> {
    if (this.#options.load === undefined) {
      throw new EvaluationError("load not implemented by this application");
    }
    const loaded = this.#options.load(module, from);
    if ("globals" in loaded) {
      return new Map([...loaded.globals].map(([name, value]) => [encodeText(name), value]));
    }
    const known = this.#modules.get(loaded.path);
    if (known?.kind === "loading") throw new EvaluationError("cycle in load graph");
    if (known?.kind === "failed") throw known.failure;
    if (known?.kind === "loaded") return known.globals;
    this.#modules.set(loaded.path, { kind: "loading" });
    try {
      const globals = this.#execute(loaded);
      this.#modules.set(loaded.path, { kind: "loaded", globals });
      return globals;
    } catch (error) {
      if (error instanceof RunFailure) {
        this.#modules.set(loaded.path, { kind: "failed", failure: error });
      }
      throw error;
    }
  }

  *#liveValues(): Iterable<unknown> {
    for (const globals of this.#globals) yield* globals;
    for (const { stack } of this.#threads) {
      for (const { slots, freeVariables } of stack) {
        for (const slot of slots) {
          const isCell =
            typeof slot === "object" && slot !== null && !(slot instanceof StarlarkObject);
          yield isCell ? slot.value : slot;
        }
        for (const { value } of freeVariables) yield value;
      }
    }
  }
}

function byEncodedName(values: Readonly<Record<string, Value>> = {}): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values).map(([name, value]) => [encodeText(name), value]));
}

function runTopLevel(thread: Thread, tree: SyntaxTree, module: ModuleScope): void {
  const { run, slotCount } = compileTopLevel(module, tree.statements);
  const slots = Array.from({ length: slotCount() }, (_, index) =>
    module.resolution.moduleLocals[index]?.scope === "cell" ? { value: undefined } : undefined,
  );
  const frame = new Frame(thread, undefined, startPosition(tree.file, tree.statements), slots, []);
  thread.push(frame);
  run(frame);
  thread.stack.pop();
}
