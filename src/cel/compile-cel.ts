import type { JsonValue } from "../json/index.ts";
import type { Schema } from "../schema/index.ts";
import { type CelType, dyn, errorType, optionalOf } from "./cel-type.ts";
import { checkCel, type MessageTypes } from "./check-cel.ts";
import { type CompileProblem, formatProblems, SyntaxProblem } from "./compile-problem.ts";
import { evaluateExpression } from "./evaluate-expression.ts";
import { CostExceeded, CelError, MissingValue } from "./evaluation-error.ts";
import type { CelExpression } from "./expression.ts";
import { CostMeter } from "./meter.ts";
import { parseCel } from "./parse-cel.ts";
import { schemaType } from "./schema-type.ts";
import { schemaValue } from "./schema-value.ts";
import { type CelValue, none, OptionalValue } from "./values.ts";

/** What is known of a variable: its schema, and whether it may be missing as an optional. */
export interface Variable {
  readonly schema?: Schema;
  /** Its type, where no schema describes it. */
  readonly type?: CelType;
  readonly isOptional?: boolean;
  /** What messages call its type; variables of one type can be compared. */
  readonly typeName?: string;
}

export type Variables = Readonly<Record<string, Variable>>;

/** An expression that has been read and checked; it can be evaluated any number of times. */
export interface Program {
  readonly expression: CelExpression;
  readonly type: CelType;
  /** The type of every part of the expression. */
  readonly types: ReadonlyMap<CelExpression, CelType>;
  readonly variables: Variables;
}

export type Compilation =
  | { readonly kind: "program"; readonly program: Program }
  /** `text` is what the server says after `compilation failed: `. */
  | {
      readonly kind: "problems";
      readonly text: string;
      readonly problems: readonly CompileProblem[];
    };

export type CelEvaluation =
  | { readonly kind: "value"; readonly value: CelValue; readonly cost: number }
  | {
      readonly kind: "failure";
      readonly message: string;
      /** A key or an item is not there, which may only mean not yet. */
      readonly isMissing: boolean;
      readonly cost: number;
    }
  /** It would have gone on for longer than it may. */
  | { readonly kind: "too-costly"; readonly cost: number };

export interface EvaluationOptions {
  /** The steps that it may take; what one rule may take unless given. */
  readonly costLimit?: number;
  /** Values of variables that are no JSON; each is asked for when it is first needed. */
  readonly values?: (name: string) => CelValue | undefined;
}

const longestExpression = 64 * 1024;
/** The steps that one rule may take, as on the server. */
export const ruleCostLimit = 1_000_000;

/** Reads and checks an expression against the types of its variables, and of objects it makes. */
export function compileCel(
  text: string,
  variables: Variables,
  messages: MessageTypes = () => undefined,
): Compilation {
  if (text.length > longestExpression) {
    return problemsOf("", [{ position: 0, message: "expression is too long" }]);
  }
  const scope = new Map<string, CelType>();
  for (const [name, variable] of Object.entries(variables)) scope.set(name, typeOf(name, variable));
  try {
    const expression = parseCel(text);
    const { type, problems, types } = checkCel(expression, scope, messages);
    if (problems.length > 0) return problemsOf(text, problems);
    return { kind: "program", program: { expression, type, types, variables } };
  } catch (error) {
    if (error instanceof SyntaxProblem) {
      return problemsOf(text, [{ position: error.position, message: error.message }]);
    }
    // A chain of thousands of operators is as deep as it is long.
    if (error instanceof RangeError) {
      return problemsOf("", [{ position: 0, message: "expression is nested too deeply" }]);
    }
    throw error;
  }
}

function problemsOf(text: string, problems: readonly CompileProblem[]): Compilation {
  return { kind: "problems", text: formatProblems(text, problems), problems };
}

function typeOf(
  name: string,
  { schema, type: known, isOptional = false, typeName = `${name}Type` }: Variable,
): CelType {
  if (known !== undefined) return known;
  const type = schema === undefined ? dyn : (schemaType(schema, typeName) ?? errorType);
  return isOptional ? optionalOf(type) : type;
}

/** The value of a program for JSON values of its variables. */
export function evaluate(
  program: Program,
  bindings: Readonly<Record<string, JsonValue | undefined>>,
  { costLimit = ruleCostLimit, values = () => undefined }: EvaluationOptions = {},
): CelEvaluation {
  const meter = new CostMeter(costLimit);
  const converted = new Map<string, CelValue>();
  const lookUp = (name: string): CelValue | undefined => {
    const variable = program.variables[name];
    if (variable === undefined) return undefined;
    const known = converted.get(name);
    if (known !== undefined) return known;
    const value = values(name) ?? bindingValue(name, variable, bindings[name]);
    if (value !== undefined) converted.set(name, value);
    return value;
  };
  try {
    const value = evaluateExpression(program.expression, { get: lookUp }, meter);
    return { kind: "value", value, cost: meter.spent };
  } catch (error) {
    if (error instanceof CostExceeded) return { kind: "too-costly", cost: meter.spent };
    if (error instanceof CelError) {
      const { message } = error;
      const isMissing = error instanceof MissingValue;
      return { kind: "failure", message, isMissing, cost: meter.spent };
    }
    // Values from outside may be deeper than the stack.
    if (error instanceof RangeError) {
      const message = "value is nested too deeply";
      return { kind: "failure", message, isMissing: false, cost: meter.spent };
    }
    throw error;
  }
}

function bindingValue(
  name: string,
  { schema, isOptional = false }: Variable,
  json: JsonValue | undefined,
): CelValue | undefined {
  if (json === undefined) return isOptional ? none : undefined;
  const value = schemaValue(json, schema, `${name}Type`);
  return isOptional ? new OptionalValue(value) : value;
}
