import type { ObjectKind } from "../cluster/index.ts";
import { fieldAt } from "../json/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import type { ReadinessContext, ReadinessRules } from "../readiness/index.ts";
import type { ReferenceWorld } from "./bundle-world.ts";

/** The kinds of objects that instances wait for by the rules of their definition. */
export function ownedKinds(rules: ReadinessRules | undefined): readonly ObjectKind[] {
  return (rules?.readyWhen ?? []).flatMap((rule) =>
    rule.kind === "exists" ? [{ apiVersion: rule.apiVersion, kind: rule.ownedKind }] : [],
  );
}

/** Finds the binding of a claim among the objects that belong to it, and the name of the output in it. */
export function bindingOf(
  claim: KubernetesObject,
  { rulesOf, childrenOf }: Pick<ReadinessContext, "childrenOf" | "rulesOf">,
): ReturnType<ReferenceWorld["bindingOf"]> {
  const rules = rulesOf?.(groupOf(claim.apiVersion), claim.kind);
  const field = rules?.outputNames.name;
  const [kind] = ownedKinds(rules);
  if (field === undefined || kind === undefined) {
    return {
      kind: "problem",
      message: `the definition of ${claim.kind} does not say where the name of its output stands (ReadyWhenExistsKind and OutputNameField)`,
    };
  }
  const binding = childrenOf?.(claim).find(
    (each) => each.kind === kind.kind && groupOf(each.apiVersion) === groupOf(kind.apiVersion),
  );
  const name = fieldAt(binding, ...field);
  if (binding === undefined || typeof name !== "string" || name === "")
    return { kind: "waiting", message: `its ${kind.kind} does not name an output yet` };
  return { kind: "bound", binding, outputName: name };
}
