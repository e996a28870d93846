import { fieldAt } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { readinessRules } from "./read-rules.ts";
import type { ReadinessRules } from "./readiness-rules.ts";

/** Finds what is said of a kind; undefined: nothing, or its definition is not known. */
export type RulesLookup = (group: string, kind: string) => ReadinessRules | undefined;

/** The rules of definitions by the kind that they define; the last definition of a kind wins. */
export function ruleBook(definitions: Iterable<KubernetesObject>): RulesLookup {
  const byKind = new Map<string, KubernetesObject>();
  for (const definition of definitions) {
    const group = fieldAt(definition, "spec", "group");
    const kind = fieldAt(definition, "spec", "names", "kind");
    byKind.set(`${String(group)}/${String(kind)}`, definition);
  }
  return (group, kind) => {
    const definition = byKind.get(`${group}/${kind}`);
    return definition === undefined ? undefined : readinessRules(definition);
  };
}
