import { type KubernetesObject, type ScopeLookup } from "../objects/index.ts";
import { compileRegularExpression } from "../schema/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { Directive, WorkloadKindDirective } from "./directive.ts";
import { runsPods } from "./pod-templates.ts";

/** Tells workloads from other objects, and which declaration of a kind applies to an object. */
export class WorkloadKinds {
  readonly #declared = new Map<string, WorkloadKindDirective[]>();
  readonly #patterns: WorkloadKindDirective[] = [];
  readonly #scopeOf: ScopeLookup;

  constructor(directives: readonly Directive[], scopeOf: ScopeLookup) {
    this.#scopeOf = scopeOf;
    for (const directive of directives) {
      if (directive.kind !== "workload-kind") continue;
      if (isPattern(directive.objectKind)) {
        this.#patterns.push(directive);
        continue;
      }
      const kind = directive.objectKind.toLowerCase();
      this.#declared.set(kind, [...(this.#declared.get(kind) ?? []), directive]);
    }
  }

  declarationsOf({ apiVersion, kind }: KubernetesObject): readonly WorkloadKindDirective[] {
    if (this.#declared.size === 0 && this.#patterns.length === 0) return [];
    const patterns = this.#patterns.filter(({ objectKind }) => matchesText(objectKind, kind));
    return [...(this.#declared.get(kind.toLowerCase()) ?? []), ...patterns].filter((declared) =>
      matchesText(declared.apiVersion, apiVersion),
    );
  }

  /** Besides these, objects are workloads that have images at places that the author declared. */
  isWorkload({ given, group, kind, podTemplates }: AssemblyObject): boolean {
    if (runsPods(given.object) || this.declarationsOf(given.object).length > 0) return true;
    return podTemplates.length > 0 && this.#scopeOf(group, kind) !== undefined;
  }
}

/**
 * Whether a text that may be left out stands for the one that was found, in any case. A plain word is compared as a
 * whole, so that `Job` does not match `CronJob`; anything else is a regular expression that may match a part.
 */
export function matchesText(wanted: string | undefined, found: string): boolean {
  if (wanted === undefined) return true;
  if (!isPattern(wanted)) return wanted.toLowerCase() === found.toLowerCase();
  const expression = compileRegularExpression(`(?i)${wanted}`);
  return typeof expression !== "string" && expression.test(found);
}

/** The same for names, in which case counts. */
export function matchesName(wanted: string | undefined, found: string): boolean {
  return (
    wanted === found || ((wanted === undefined || isPattern(wanted)) && matchesText(wanted, found))
  );
}

/** Whether a text is more than a plain word; then it is a regular expression. */
function isPattern(wanted: string): boolean {
  return /[\\^$*+?()[\]{}|]/.test(wanted);
}
