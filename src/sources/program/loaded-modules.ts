import { SourceMap } from "node:module";
import type { SourceMapPayload } from "node:module";
import { relative, sep } from "node:path";
import { excerptOf } from "../../diagnostics/index.ts";
import type { SourcePosition, SourceRange } from "../../diagnostics/index.ts";

interface LoadedModule {
  readonly source: string;
  /** The path as messages name it. */
  readonly shown: string;
  /** Made when it is first needed, which is when something goes wrong. */
  map: () => SourceMap | undefined;
}

/** The modules of the program as the user wrote them, and the way back to them from running code. */
export class LoadedModules {
  readonly #workingFolder: string;
  readonly #ownFolder: string;
  readonly #byFile = new Map<string, LoadedModule>();
  readonly #byShown = new Map<string, LoadedModule>();

  constructor(workingFolder: string, ownFolder: string) {
    this.#workingFolder = workingFolder;
    this.#ownFolder = ownFolder;
  }

  get files(): readonly string[] {
    return [...this.#byFile.keys()];
  }

  /** Tells the modules of Keelson itself from those of programs. */
  isOwn(file: string): boolean {
    return file.startsWith(this.#ownFolder);
  }

  /** Remembers a module and gives the path by which messages name it. */
  add(file: string, source: string): string {
    const path = relative(this.#workingFolder, file);
    const shown = path.startsWith(`..${sep}`) ? file : path;
    const loaded = { source, shown, map: () => undefined };
    this.#byFile.set(file, loaded);
    this.#byShown.set(shown, loaded);
    return shown;
  }

  /** Remembers how the running code of a module leads back to its source. */
  addCode(file: string, code: { readonly map: unknown }): void {
    const loaded = this.#byFile.get(file);
    if (loaded === undefined) return;
    let made: SourceMap | undefined;
    loaded.map = () => (made ??= new SourceMap(code.map as SourceMapPayload));
  }

  /** Whether a file is a module of the program. */
  has(file: string): boolean {
    return this.#byFile.has(file);
  }

  /** Where in the user's source a place in running code comes from; undefined for other code. */
  originalPosition(file: string, line: number, column: number): SourcePosition | undefined {
    const origin = this.#byFile.get(file)?.map()?.findOrigin(line, column);
    return origin !== undefined && "lineNumber" in origin
      ? { line: origin.lineNumber, column: origin.columnNumber }
      : undefined;
  }

  /** A place in the source of a module of the program, with the lines around it. */
  placeAt(file: string, start: SourcePosition): SourceRange | undefined {
    const loaded = this.#byFile.get(file);
    return loaded && this.withExcerpt({ file: loaded.shown, start });
  }

  /** The first place of a text in a module, between quotes. */
  placeOfText(file: string, text: string): SourceRange | undefined {
    const loaded = this.#byFile.get(file);
    const offset = [`"${text}"`, `'${text}'`]
      .map((quoted) => loaded?.source.indexOf(quoted) ?? -1)
      .find((found) => found !== -1);
    if (loaded === undefined || offset === undefined) return undefined;
    const before = loaded.source.slice(0, offset).split("\n");
    const start = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const end = { line: start.line, column: start.column + text.length + 2 };
    return this.withExcerpt({ file: loaded.shown, start, end });
  }

  /** Adds the lines around a place, for the code frame. */
  withExcerpt(source: SourceRange): SourceRange {
    const loaded = this.#byShown.get(source.file);
    if (loaded === undefined || source.excerpt !== undefined) return source;
    return { ...source, excerpt: excerptOf(loaded.source, source.start.line) };
  }
}
