import type {
  CompiledExpression,
  EvaluatedExpression,
  NamedExpression,
} from "./expression-scope.ts";
import type { ExpressionScope } from "./expression-scope.ts";

export type ConditionsOutcome =
  | { readonly kind: "matches" }
  | { readonly kind: "no-match" }
  | { readonly kind: "error"; readonly message: string };

export function compileConditions(
  scope: ExpressionScope,
  conditions: readonly NamedExpression[] = [],
): readonly CompiledExpression[] {
  return conditions.map(({ expression }) => scope.compile(expression, ["bool"]));
}

/** All conditions must be true; one that is false decides even when others fail. */
export function meetsConditions(
  conditions: readonly CompiledExpression[],
  evaluate: (expression: CompiledExpression) => EvaluatedExpression,
): ConditionsOutcome {
  const errors: string[] = [];
  for (const condition of conditions) {
    const outcome = evaluate(condition);
    if (outcome.kind === "error") errors.push(outcome.message);
    else if (outcome.value === false) return { kind: "no-match" };
  }
  const [first] = errors;
  if (first === undefined) return { kind: "matches" };
  return { kind: "error", message: errors.length === 1 ? first : `[${errors.join(", ")}]` };
}
