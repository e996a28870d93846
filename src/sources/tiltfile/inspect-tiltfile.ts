import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { encodeText, inspectFile, type InspectedCall } from "../starlark/index.ts";
import { Extensions } from "./builtins/extensions.ts";
import { tiltfileBuiltins } from "./tiltfile-builtins.ts";
import type { LoadTiltfileOptions } from "./tiltfile-options.ts";
import { TiltfileState } from "./tiltfile-state.ts";

/** What a Tiltfile says that was only looked at. */
export interface InspectedTiltfile {
  /** The files of objects that it names as they are. */
  readonly yamlFiles: readonly string[];
  /** What is wrong, and what could not be known. */
  readonly diagnostics: readonly Diagnostic[];
}

const mostFiles = 1000;
/** What these give is known only when they have run. */
const running: ReadonlySet<string> = new Set(["local", "helm", "kustomize"]);
const including: ReadonlySet<string> = new Set(["include", "load_dynamic"]);

/**
 * Parses a Tiltfile and the files below its folder that it loads, and resolves their names. Nothing is run, not even
 * the Starlark of it; nothing outside of its folder is read.
 */
export function inspectTiltfile(options: LoadTiltfileOptions): InspectedTiltfile {
  return new Inspection(options).run();
}

class Inspection {
  readonly #state: TiltfileState;
  readonly #builtins: ReturnType<typeof tiltfileBuiltins>;
  readonly #folder: string;
  readonly #files = new Set<string>();
  readonly #yamlFiles = new Set<string>();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(options: LoadTiltfileOptions) {
    const run = (): never => {
      throw new Error("nothing is run here");
    };
    this.#state = new TiltfileState({ ...options, run });
    this.#builtins = {
      ...tiltfileBuiltins(this.#state, new Extensions(this.#state), run),
      __file__: encodeText(""),
      __name__: encodeText(""),
    };
    this.#folder = this.#realPath(dirname(this.#state.mainPath));
  }

  run(): InspectedTiltfile {
    const { mainPath } = this.#state;
    const isLinked = !this.#realPath(mainPath).startsWith(`${this.#folder}${sep}`);
    if (!isLinked) this.#files.add(mainPath);
    this.#diagnostics.push({
      code: "check.not-run",
      severity: "warning",
      summary: isLinked
        ? `${this.#state.displayPath(mainPath)} was not read: it leads outside of its folder`
        : `${this.#state.displayPath(mainPath)} was not run: its components, images and settings are not known`,
    });
    // What is added meanwhile has its turn, too.
    for (const file of this.#files) this.#inspect(file);
    return { yamlFiles: [...this.#yamlFiles], diagnostics: this.#diagnostics };
  }

  #inspect(file: string): void {
    try {
      const source = this.#state.readProgram(file);
      const { diagnostics, loads, calls } = inspectFile(source, this.#builtins);
      this.#diagnostics.push(...diagnostics);
      for (const { module, position } of loads)
        this.#load(file, { name: "load", texts: [module], position });
      for (const call of calls) this.#note(file, call);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      this.#diagnostics.push(...error.diagnostics);
    }
  }

  #note(file: string, call: InspectedCall): void {
    if (running.has(call.name)) this.#unknown(call, "was not run: what it gives is not known");
    else if (including.has(call.name)) this.#load(file, call);
    else if (call.name === "k8s_yaml") this.#readYaml(file, call);
  }

  #load(file: string, call: InspectedCall): void {
    for (const module of this.#textsOf(call)) {
      const path = module.startsWith("ext://") ? undefined : this.#inside(file, module);
      if (path === undefined || this.#files.size >= mostFiles)
        this.#unknown(call, `was not followed: ${JSON.stringify(module)} is outside of its folder`);
      else this.#addFile(path, call, module);
    }
  }

  #readYaml(file: string, call: InspectedCall): void {
    for (const name of this.#textsOf(call)) {
      const path = this.#inside(file, name);
      if (path === undefined)
        this.#unknown(call, `was not read: ${JSON.stringify(name)} is outside of its folder`);
      else if (this.#state.files.kindOf(path) === undefined) this.#missing(call, name);
      else this.#yamlFiles.add(this.#state.displayPath(path));
    }
  }

  #addFile(path: string, call: InspectedCall, module: string): void {
    const isDirectory = this.#state.files.kindOf(path) === "directory";
    const file = isDirectory ? join(path, "Tiltfile") : path;
    if (this.#state.files.kindOf(file) === "file") this.#files.add(file);
    else this.#missing(call, module);
  }

  /** A command of the Tiltfile may be what makes it. */
  #missing(call: InspectedCall, name: string): void {
    this.#unknown(call, `was not read: there is no ${JSON.stringify(name)} yet`);
  }

  #textsOf(call: InspectedCall): readonly string[] {
    if (call.texts === undefined) this.#unknown(call, "was not read: what it is given is computed");
    return call.texts ?? [];
  }

  #unknown({ name, position }: Pick<InspectedCall, "name" | "position">, why: string): void {
    this.#diagnostics.push({
      code: "check.not-run",
      severity: "warning",
      summary: `${name}(…) ${why}`,
      source: this.#state.rangeOf(position),
    });
  }

  /** A path of a file, if it leads to something below the folder of the Tiltfile, links followed. */
  #inside(file: string, name: string): string | undefined {
    const path = isAbsolute(name) ? join(name) : join(dirname(file), name);
    const real = this.#realPath(path);
    return real.startsWith(`${this.#folder}${sep}`) ? path : undefined;
  }

  /** Where a path leads to; of one that is not there yet, where it would be. */
  #realPath(path: string): string {
    try {
      return this.#state.files.realPath(path);
    } catch {
      const parent = dirname(path);
      return parent === path ? path : join(this.#realPath(parent), basename(path));
    }
  }
}
