import { groupOf, type KubernetesObject, type ScopeLookup } from "../objects/index.ts";
import type { Directive, WorkloadKindDirective } from "./directive.ts";
import { podTemplatesOf, runsPods } from "./pod-templates.ts";

/** Tells workloads from other objects, and which declaration of a kind applies to an object. */
export class WorkloadKinds {
  readonly #declared = new Map<string, WorkloadKindDirective[]>();
  readonly #scopeOf: ScopeLookup;

  constructor(directives: readonly Directive[], scopeOf: ScopeLookup) {
    this.#scopeOf = scopeOf;
    for (const directive of directives) {
      if (directive.kind !== "workload-kind") continue;
      const kind = directive.objectKind.toLowerCase();
      this.#declared.set(kind, [...(this.#declared.get(kind) ?? []), directive]);
    }
  }

  /** Whole words are compared, so that `Job` does not mean `CronJob` too. */
  declarationsOf({ apiVersion, kind }: KubernetesObject): readonly WorkloadKindDirective[] {
    if (this.#declared.size === 0) return [];
    return (this.#declared.get(kind.toLowerCase()) ?? []).filter((declared) =>
      isSameWord(declared.apiVersion, apiVersion),
    );
  }

  isWorkload(object: KubernetesObject): boolean {
    if (runsPods(object) || this.declarationsOf(object).length > 0) return true;
    const isKnown = this.#scopeOf(groupOf(object.apiVersion), object.kind) !== undefined;
    return isKnown && podTemplatesOf(object).length > 0;
  }
}

/** Whether a word that may be left out is the one that was found, in any case. */
export function isSameWord(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === found.toLowerCase();
}
