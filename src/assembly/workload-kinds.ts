import { type KubernetesObject, type ScopeLookup } from "../objects/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { Directive, WorkloadKindDirective } from "./directive.ts";
import { runsPods } from "./pod-templates.ts";

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

  isWorkload({ given, group, kind, podTemplates }: AssemblyObject): boolean {
    if (runsPods(given.object) || this.declarationsOf(given.object).length > 0) return true;
    return podTemplates.length > 0 && this.#scopeOf(group, kind) !== undefined;
  }
}

/** Whether a word that may be left out is the one that was found, in any case. */
export function isSameWord(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === found.toLowerCase();
}
