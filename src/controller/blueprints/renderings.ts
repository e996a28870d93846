import type { Rendered } from "../../blueprints/index.ts";

const mostKept = 2_000;

/**
 * What ytt gave, by template and values, so that it does not run again whenever an owner is looked at.
 * Only what succeeded is kept: what failed may have been for want of time, or of the program.
 */
export class Renderings {
  readonly #kept = new Map<string, Rendered>();

  get(key: string): Rendered | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, rendered: Rendered): void {
    if (rendered.kind === "problem") return;
    // The one that was used last is at the end.
    this.#kept.delete(key);
    this.#kept.set(key, rendered);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
