import { DiagnosticError } from "../diagnostics/index.ts";
import type { DevComponent, PendingUpdate } from "./dev-component.ts";
import type { DevContext } from "./dev-context.ts";

/** Files that change with every build are written by the build: one must stop trying. */
export const mostRestlessBuilds = 10;

/** Builds images of components, each by itself: what is built wants its update again. */
export class ImageBuilds {
  readonly #context: DevContext;
  /** Images must be named after what their files are now. */
  readonly #onStale: () => void;
  readonly #track: (work: Promise<void>) => void;

  constructor(context: DevContext, onStale: () => void, track: (work: Promise<void>) => void) {
    this.#context = context;
    this.#onStale = onStale;
    this.#track = track;
  }

  /** Builds what an update of a component needs; afterwards that update is wanted again. */
  start(
    entry: DevComponent,
    pending: PendingUpdate | undefined,
    images: ReadonlySet<string>,
  ): void {
    this.#track(this.#run(entry, pending, images));
  }

  /** The same for a component that wants its update now; false when there is nothing to build. */
  startFor(entry: DevComponent, images: ReadonlySet<string>): boolean {
    if (images.size === 0) return false;
    const { pending } = entry;
    entry.pending = undefined;
    this.start(entry, pending, images);
    return true;
  }

  async #run(
    entry: DevComponent,
    taken: PendingUpdate | undefined,
    images: ReadonlySet<string>,
  ): Promise<void> {
    const { state, signal, slots, current, reporter, pump } = this.#context;
    const desired = current()?.desired;
    const before = taken ?? { kind: "change", message: "it was interrupted" };
    entry.isUpdating = true;
    state.update(entry.name, "in_progress", "Building", before.message);
    try {
      await slots().run(async () => desired?.build(images));
      entry.restlessBuilds = 0;
      entry.pending ??= before;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DiagnosticError)) throw error;
      if (error.diagnostics.some(({ code }) => code === "images.changed")) {
        entry.restlessBuilds++;
        // What was asked for, or began by itself, need not be asked for again.
        if (entry.pending === undefined || before.kind !== "change") entry.pending = before;
        reporter.log(
          entry.name,
          "build",
          "its files changed while it was built; it is built again",
        );
        this.#onStale();
      } else {
        reporter.tell(error.diagnostics);
        state.update(entry.name, "error", "UpdateFailed", error.diagnostics[0]?.summary ?? "");
      }
    } finally {
      entry.isUpdating = false;
    }
    pump();
  }
}
