import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Directive, GivenObject } from "../../assembly/index.ts";
import { DiagnosticError, type Diagnostic, type SourceRange } from "../../diagnostics/index.ts";
import type { BuildDefinition } from "../../images/index.ts";
import {
  localFiles,
  runProcess,
  type FileAccess,
  type HydrateTools,
  type RunProcess,
} from "../hydrate/index.ts";
import { EvaluationError, sourceRangeOf, type HostCall, type Position } from "../starlark/index.ts";
import type { CustomDeploy } from "./custom-deploy.ts";
import type { LocalResource } from "./local-resource.ts";
import type { LoadTiltfileOptions } from "./tiltfile-options.ts";
import type { TiltfileOutput } from "./tiltfile-result.ts";
import type { TiltfileSettings } from "./tiltfile-settings.ts";
import type { LiveUpdateStepValue } from "./values/live-update-step-value.ts";

/** What one Tiltfile may say; more than that is a program that does not end. */
const mostCalls = 200_000;
const mostObjects = 1_000_000;
const mostLines = 200_000;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What all files of one load share: what they said so far, and what they may ask of the machine. */
export class TiltfileState {
  readonly options: LoadTiltfileOptions;
  readonly files: FileAccess;
  readonly run: RunProcess;
  readonly mainPath: string;
  readonly environment = new Map<string, string>();
  readonly objects: GivenObject[] = [];
  readonly directives: Directive[] = [];
  readonly builds: BuildDefinition[] = [];
  readonly localResources: LocalResource[] = [];
  readonly customDeploys: CustomDeploy[] = [];
  readonly settings: Writable<TiltfileSettings> = {
    unusedImagesAllowed: [],
    ci: {},
    watchIgnore: [],
    showsSecrets: false,
    allowedContexts: [],
  };
  readonly watchedPaths = new Set<string>();
  readonly features: Record<string, boolean> = {};
  readonly output: TiltfileOutput[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Names of functions that were called and do nothing here. */
  readonly ignoredSettings = new Map<string, SourceRange | undefined>();
  /** Steps that were made and not yet given to an image. */
  readonly unusedSteps = new Set<LiveUpdateStepValue>();
  exitMessage: string | undefined;
  readonly #texts = new Map<string, string>();
  readonly #displayBase: string | undefined;
  #calls = 0;

  constructor(options: LoadTiltfileOptions) {
    this.options = options;
    this.files = options.files ?? localFiles;
    this.run = options.run ?? runProcess;
    this.mainPath = resolve(options.workingDirectory, options.path);
    this.#displayBase = isAbsolute(options.path) ? undefined : options.workingDirectory;
    for (const [name, value] of Object.entries(options.environment)) {
      if (value !== undefined) this.environment.set(name, value);
    }
  }

  /** A path as messages name it: relative where the Tiltfile was given so. */
  displayPath(path: string): string {
    if (this.#displayBase === undefined) return path;
    const shown = relative(this.#displayBase, path);
    if (shown === "..") return path;
    return shown === "" ? "." : shown.startsWith("../") ? path : shown;
  }

  /** Reads a file of Starlark and keeps its text for code frames. */
  readProgram(path: string, given?: string): { readonly path: string; readonly text: string } {
    this.watch(path);
    const shown = this.displayPath(path);
    const text = given ?? this.readText(path);
    this.#texts.set(shown, text);
    return { path: shown, text };
  }

  /** Reads a file that the program depends on. */
  readText(path: string): string {
    this.watch(path);
    try {
      return this.files.readText(path);
    } catch (error) {
      throw new DiagnosticError([
        {
          code: "tiltfile.file",
          severity: "error",
          summary: `${this.displayPath(path)} cannot be read: ${reasonOf(error)}`,
          cause: error,
        },
      ]);
    }
  }

  watch(path: string): void {
    this.watchedPaths.add(path);
  }

  /** The directory of the file whose top level is running: what relative paths start from. */
  directoryOf(call: HostCall): string {
    const file = call.callStack[0]?.position?.file;
    return file === undefined ? dirname(this.mainPath) : dirname(this.absolutePath(file));
  }

  absolutePath(shown: string): string {
    return resolve(this.#displayBase ?? "/", shown);
  }

  resolve(call: HostCall, path: string): string {
    return isAbsolute(path) ? join(path) : join(this.directoryOf(call), path);
  }

  /**
   * Where a call stands. The lines around it are only cut out when they are shown. Every call that
   * leaves something behind asks for its place, so here they are counted.
   */
  placeOf(call: HostCall): SourceRange | undefined {
    if (++this.#calls > mostCalls) {
      throw new EvaluationError(`this is the call number ${mostCalls}; that is too many`);
    }
    return call.position === undefined ? undefined : this.rangeOf(call.position);
  }

  rangeOf(position: Position): SourceRange {
    const text = this.#texts.get(position.file);
    let range: SourceRange | undefined;
    const computed = (): SourceRange => (range ??= sourceRangeOf(position, text));
    return {
      file: position.file,
      get start() {
        return computed().start;
      },
      get excerpt() {
        return computed().excerpt;
      },
    };
  }

  /** Reports an error of a call; the program goes on, so that further ones are found. */
  report(call: HostCall, diagnostic: Omit<Diagnostic, "severity" | "source">): void {
    this.diagnostics.push({
      severity: "error",
      ...diagnostic,
      detail: withTraceback(call, diagnostic),
      source: this.placeOf(call),
    });
  }

  warn(call: HostCall, diagnostic: Omit<Diagnostic, "severity" | "source">): void {
    this.diagnostics.push({ severity: "warning", ...diagnostic, source: this.placeOf(call) });
  }

  addObjects(objects: Iterable<GivenObject>): void {
    for (const object of objects) this.objects.push(object);
    if (this.objects.length > mostObjects) {
      throw new EvaluationError(`there are more than ${mostObjects} objects; that is too many`);
    }
  }

  print(output: TiltfileOutput): void {
    if (this.output.length >= mostLines) {
      throw new EvaluationError(`more than ${mostLines} lines are printed; that is too many`);
    }
    this.output.push(output);
    this.options.onOutput?.(output);
  }

  environmentRecord(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.environment);
  }

  tools(call: HostCall): HydrateTools {
    return {
      files: this.files,
      run: this.run,
      environment: this.environmentRecord(),
      directory: this.directoryOf(call),
      ...(this.options.programs === undefined ? {} : { programs: this.options.programs }),
    };
  }
}

/** Only calls inside of functions need telling how they were reached. */
function withTraceback(
  call: HostCall,
  { summary, detail }: Omit<Diagnostic, "severity" | "source">,
): string | undefined {
  const places = call.callStack.filter(({ position }) => position !== undefined);
  if (places.length < 2) return detail;
  const traceback = call.traceback(summary.split("\n")[0] ?? "");
  return detail === undefined ? traceback : `${detail}\n\n${traceback}`;
}

/** What went wrong with a file, without the path, which the message names already. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "it may not be read";
  return error instanceof Error ? error.message : String(error);
}
