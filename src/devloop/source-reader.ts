import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import type { BuildEvent } from "../events/index.ts";
import type { DesiredComponents, DevSource, LoadedSource, WatchedFiles } from "./dev-source.ts";
import type { DevReporter } from "./dev-reporter.ts";
import type { DevState } from "./dev-state.ts";

export interface SourceReaderOptions {
  readonly source: DevSource;
  readonly state: DevState;
  readonly reporter: DevReporter;
  readonly keptImages: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  /** Whether it is read again when its files change. */
  readonly watches: boolean;
  /** A component that uses an image, by the reference of its build. */
  readonly userOf: (image: string) => string | undefined;
  /** Looks at what was read before anything is done with it; what it throws ends the reading. */
  readonly accept: (source: LoadedSource) => void;
  /** Throws what is wrong with what is wished for. */
  readonly check: (desired: DesiredComponents) => void;
  readonly watch: (watched: WatchedFiles, loaded: LoadedSource | undefined) => void;
  /** Something is wished for; returns how many components there are. */
  readonly take: (
    loaded: LoadedSource,
    desired: DesiredComponents,
    files: readonly string[],
  ) => Promise<number>;
}

const mostGivenUp = 5;

/** Reads a source again and again; what cannot be read leaves what was read before. */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  #requested: { reload: boolean; readonly files: Set<string> } | undefined;
  #isReading = false;
  #loaded: LoadedSource | undefined;
  #watched: WatchedFiles = { paths: [] };
  /** Ends the reading that is under way. */
  #stop = new AbortController();
  #givenUp = 0;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
  }

  /** The files that the source depends on. */
  get watched(): WatchedFiles {
    return this.#watched;
  }

  /**
   * What is being read has changed: it is given up, and whoever noticed asks for another reading. A source
   * that writes its own files would never be read this way, so it is not given up again and again.
   */
  giveUp(): void {
    if (!this.#isReading || this.#givenUp >= mostGivenUp) return;
    this.#stop.abort();
  }

  /** Watches what is known to be part of the source before it was read. */
  async begin(): Promise<void> {
    this.#watch(await this.#options.source.inputs(), undefined);
  }

  /**
   * Reads again, or only names images anew. Requests that come meanwhile are answered by one more
   * reading.
   */
  async request(reload: boolean, files: readonly string[]): Promise<void> {
    this.#requested ??= { reload: false, files: new Set() };
    this.#requested.reload ||= reload;
    for (const file of files) this.#requested.files.add(file);
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        if (next.reload || this.#loaded === undefined) await this.#load([...next.files]);
        else await this.#desire(this.#loaded, [...next.files], { tells: false });
      }
    } finally {
      this.#isReading = false;
    }
  }

  #next(): { readonly reload: boolean; readonly files: ReadonlySet<string> } | undefined {
    const next = this.#options.signal.aborted ? undefined : this.#requested;
    this.#requested = undefined;
    return next;
  }

  async #load(files: readonly string[]): Promise<void> {
    const { state, source, accept, reporter, signal } = this.#options;
    state.emit({ type: "load", status: "started", files });
    const stop = new AbortController();
    this.#stop = stop;
    const loaded = await source.load(AbortSignal.any([signal, stop.signal]), (text) => {
      reporter.printed(text);
    });
    if (loaded.kind === "failed" && stop.signal.aborted) {
      this.#givenUp++;
      return;
    }
    this.#givenUp = 0;
    if (loaded.kind === "failed") {
      if (signal.aborted) return;
      this.#failed(loaded.diagnostics, loaded.watched, files);
      return;
    }
    accept(loaded);
    this.#watch(loaded.watched, loaded);
    await this.#desire(loaded, files, { tells: true });
  }

  async #desire(
    loaded: LoadedSource,
    files: readonly string[],
    { tells }: { readonly tells: boolean },
  ): Promise<void> {
    const { state, keptImages, signal, check, take, reporter, userOf } = this.#options;
    let desired: DesiredComponents | undefined;
    try {
      const emit = (event: BuildEvent): void => {
        reporter.built(event, userOf(event.image) ?? event.image);
      };
      desired = await loaded.desired({ keptImages, emit, signal });
      check(desired);
    } catch (error) {
      await desired?.close();
      if (signal.aborted) return;
      if (!(error instanceof DiagnosticError)) throw error;
      // Who asks for a component that the source does not have is told at once, and does not wait for it.
      if (desired !== undefined && this.#loaded === undefined) throw error;
      this.#failed(error.diagnostics, loaded.watched, files);
      return;
    }
    if (tells) reporter.tell(desired.warnings);
    this.#loaded = loaded;
    const count = await take(loaded, desired, files);
    const message = `${count} ${count === 1 ? "component" : "components"}`;
    state.setSource({ status: "ok", message });
    state.emit({ type: "load", status: "successful", files, message });
  }

  /** The last good state goes on; the files of the bad one are watched with those of the good. */
  #failed(
    diagnostics: readonly Diagnostic[],
    watched: WatchedFiles,
    files: readonly string[],
  ): void {
    const before = this.#watched;
    this.#watch(
      {
        paths: [...watched.paths, ...before.paths],
        isInput: (path) => (watched.isInput?.(path) ?? true) || (before.isInput?.(path) ?? true),
      },
      this.#loaded,
    );
    const { state, reporter, watches } = this.#options;
    const next =
      this.#loaded !== undefined
        ? "; what was read before goes on"
        : watches
          ? "; it is read again when it changes"
          : "";
    const message = `the source cannot be read${next}`;
    state.setSource({ status: "error", message });
    reporter.tell(diagnostics);
    state.emit({ type: "load", status: "failed", files, message });
  }

  #watch(watched: WatchedFiles, loaded: LoadedSource | undefined): void {
    this.#watched = watched;
    this.#options.watch(watched, loaded);
  }
}
