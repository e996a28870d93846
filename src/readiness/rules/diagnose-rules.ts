import type { Diagnostic } from "../../diagnostics/index.ts";
import {
  formatIdentity,
  identityOf,
  type KubernetesObject,
  type SourcedObject,
} from "../../objects/index.ts";
import { compileReadyWhen, expressionHint, readyWhenAnnotation } from "./expression-rule.ts";
import { readinessRules } from "./read-rules.ts";

/** Something wrong with what an object says of readiness. */
export interface DiagnosedRule {
  readonly object: KubernetesObject;
  readonly diagnostic: Diagnostic;
}

/** Everything wrong with readiness rules in an input, each where its annotation is written. */
export function diagnoseRules(objects: readonly SourcedObject[]): readonly DiagnosedRule[] {
  return objects.flatMap((sourced) => {
    const { object } = sourced;
    if (object.metadata.annotations === undefined) return [];
    const problems =
      object.kind === "CustomResourceDefinition"
        ? readinessRules(object).problems
        : ownRuleProblems(object);
    return problems.map(({ annotation, diagnostic }) => ({
      object,
      diagnostic: {
        ...diagnostic,
        source: sourced.sourceOf(["metadata", "annotations", annotation]),
      },
    }));
  });
}

function ownRuleProblems(
  object: KubernetesObject,
): readonly { readonly annotation: string; readonly diagnostic: Diagnostic }[] {
  const text = object.metadata.annotations?.[readyWhenAnnotation];
  if (typeof text !== "string") return [];
  const compilation = compileReadyWhen(text);
  if (compilation.kind === "program") return [];
  const subject = formatIdentity(identityOf(object));
  const diagnostic: Diagnostic = {
    code: "readiness.invalid-expression",
    severity: "error",
    summary: `${subject}: ${readyWhenAnnotation} cannot be compiled: ${compilation.text}`,
    hint: expressionHint,
    subject,
  };
  return [{ annotation: readyWhenAnnotation, diagnostic }];
}
