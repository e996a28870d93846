import type { JsonValue } from "../../../json/index.ts";
import { equalValues } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";

/**
 * Which of several steps that change an object must run once more, because the object was changed
 * after they ran. Each step runs twice at most.
 */
export class Reinvocations {
  readonly #repeatable = new Set<string>();
  readonly #due = new Set<string>();
  #isSecondRun = false;
  #last: KubernetesObject | undefined;
  #hasChanged = false;

  /** Whether any step changed the object: then all get a second run. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** The first run is 0, the second 1. */
  get run(): number {
    return this.#isSecondRun ? 1 : 0;
  }

  repeat(): void {
    this.#isSecondRun = true;
  }

  /** A run begins with the object as others have left it. */
  begin(object: KubernetesObject): void {
    if (this.#last === undefined) return;
    const isSame = equalValues(object as unknown as JsonValue, this.#last as unknown as JsonValue);
    if (!isSame) this.#repeatAll();
  }

  end(object: KubernetesObject): void {
    this.#last = object;
  }

  isDue(step: string): boolean {
    return !this.#isSecondRun || this.#due.has(step);
  }

  objectChanged(): void {
    this.#hasChanged = true;
    this.#repeatAll();
  }

  mayRunAgain(step: string): void {
    this.#repeatable.add(step);
  }

  #repeatAll(): void {
    for (const step of this.#repeatable) this.#due.add(step);
    this.#repeatable.clear();
  }
}
