import { fieldAt, isJsonObject, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { StepTrouble } from "../../plan/index.ts";

/** How often a write may be answered with something else before it is given up. */
const mostAttempts = 3;
const mostPaths = 5;

interface Attempts {
  readonly wanted: string;
  count: number;
  paths: readonly string[];
}

/**
 * Notices writes that do not last: the server, or an admission webhook behind it, keeps making
 * something else of the object. Writing it again and again would never end.
 */
export class WriteGuard {
  readonly #attempts = new Map<string, Attempts>();

  /** Takes note of what a write was answered with. */
  answered(key: string, wanted: KubernetesObject, answer: KubernetesObject, isSame: boolean): void {
    if (isSame) {
      this.#attempts.delete(key);
      return;
    }
    const text = stringifyJson(wanted);
    const known = this.#attempts.get(key);
    const attempts = known?.wanted === text ? known : { wanted: text, count: 0, paths: [] };
    attempts.count++;
    attempts.paths = differingPaths(wanted, answer);
    this.#attempts.set(key, attempts);
  }

  /** Why an object must not be written once more, if it was written in vain often enough. */
  troubleOf(
    key: string,
    wanted: KubernetesObject,
  ): Pick<StepTrouble, "isRetried" | "message"> | undefined {
    const attempts = this.#attempts.get(key);
    if (attempts === undefined || attempts.count < mostAttempts) return undefined;
    if (attempts.wanted !== stringifyJson(wanted)) return undefined;
    const fields = attempts.paths.length === 0 ? "it" : attempts.paths.join(", ");
    return {
      isRetried: false,
      message: `the API server keeps changing ${fields} of ${wanted.kind} ${wanted.metadata.name ?? ""} to something else; a webhook or another controller may do so`,
    };
  }

  forget(prefix: string): void {
    for (const key of this.#attempts.keys()) if (key.startsWith(prefix)) this.#attempts.delete(key);
  }
}

/** The fields that were asked for and are not there as asked; never their values. */
export function differingPaths(
  wanted: KubernetesObject,
  answer: KubernetesObject,
): readonly string[] {
  const found: string[] = [];
  const walk = (left: unknown, right: unknown, path: string): void => {
    if (found.length >= mostPaths) return;
    if (isJsonObject(left) && isJsonObject(right)) {
      for (const key of Object.keys(left))
        walk(left[key], fieldAt(right, key), path === "" ? key : `${path}.${key}`);
      return;
    }
    if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (const [index, each] of left.entries()) walk(each, right[index], `${path}[${index}]`);
      return;
    }
    if (stringifyJson(left) !== stringifyJson(right)) found.push(path);
  };
  walk(wanted, answer, "");
  return found;
}
