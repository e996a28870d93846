import { type ApiError, isApiError, type ObjectReference } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { StepTrouble } from "../../plan/index.ts";

type Find = (reference: ObjectReference) => Promise<KubernetesObject | undefined>;

/**
 * What the server refused, as Cartographer says it. Cartographer gets an object before it writes it: when
 * a write is forbidden, the same question is asked, once, to say what an account lacks first.
 */
export class CartographerRefusals {
  readonly #forbidden = new Map<string, string | undefined>();

  /** Asks what is not known yet; true when there are new answers. */
  async ask(
    troubles: readonly (readonly [step: string, trouble: StepTrouble])[],
    desiredOf: (step: string) => KubernetesObject | undefined,
    find: Find,
  ): Promise<boolean> {
    let hasAsked = false;
    for (const [step, { cause }] of troubles) {
      const object = desiredOf(step);
      if (!isApiError(cause, "Forbidden") || object === undefined) continue;
      const key = keyOf(cause);
      if (this.#forbidden.has(key)) continue;
      this.#forbidden.set(key, await forbiddenGet(object, find));
      hasAsked = true;
    }
    return hasAsked;
  }

  /** The words for what the server refused; undefined where somebody else did. */
  wordsOf({ cause }: StepTrouble, live: readonly KubernetesObject[]): string | undefined {
    if (!isApiError(cause)) return undefined;
    const { namespace = "", name = "" } = cause.purpose;
    const forbidden = this.#forbidden.get(keyOf(cause));
    if (forbidden !== undefined)
      return `failed to get unstructured [${namespace}/${name}] from api server: ${forbidden}`;
    const isThere = live.some(({ metadata }) => metadata.name === name);
    return `${isThere ? "patch" : "create"}: ${cause.status.message}`;
  }
}

function keyOf({ purpose: { resource, namespace = "", name = "" } }: ApiError): string {
  return `${resource} ${namespace}/${name}`;
}

async function forbiddenGet(
  { apiVersion, kind, metadata: { namespace = "", name = "" } }: KubernetesObject,
  find: Find,
): Promise<string | undefined> {
  try {
    await find({ apiVersion, kind, namespace, name });
    return undefined;
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
    return error.status.message;
  }
}
