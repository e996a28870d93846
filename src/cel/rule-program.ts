import type { Schema, ValidationRule } from "../schema/index.ts";
import { compileCel, type Compilation, type Program } from "./compile-cel.ts";
import type { CelExpression } from "./expression.ts";
import { operandsOf } from "./operands-of.ts";

/** A rule of a schema, compiled; `text` says why it could not be. */
export interface RuleProgram {
  readonly rule: ValidationRule;
  readonly condition: Compilation;
  readonly message?: Compilation;
  /** Rules about a change are not asked when there is nothing to compare with. */
  readonly usesOldSelf: boolean;
}

const compiledRules = new WeakMap<Schema, readonly RuleProgram[]>();

/** The rules of a schema's own level, compiled when they are first asked for. */
export function rulePrograms(schema: Schema): readonly RuleProgram[] {
  const known = compiledRules.get(schema);
  if (known !== undefined) return known;
  const programs = (schema.validations ?? []).map((rule) => compileRule(rule, schema));
  compiledRules.set(schema, programs);
  return programs;
}

function compileRule(rule: ValidationRule, schema: Schema): RuleProgram {
  const typeName = "selfType";
  const old = { schema, isOptional: rule.optionalOldSelf === true, typeName };
  const variables = { self: { schema, typeName }, oldSelf: old };
  const condition = compileCel(rule.rule, variables);
  const { messageExpression = "" } = rule;
  return {
    rule,
    condition,
    ...(messageExpression === "" ? {} : { message: compileCel(messageExpression, variables) }),
    usesOldSelf: condition.kind === "program" && mentionsOldSelf(condition.program),
  };
}

function mentionsOldSelf({ expression }: Program): boolean {
  return mentions(expression, "oldSelf");
}

function mentions(expression: CelExpression, name: string): boolean {
  if (expression.kind === "identifier") return expression.name === name;
  return operandsOf(expression).some((part) => mentions(part, name));
}
