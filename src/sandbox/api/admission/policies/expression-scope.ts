import {
  authorizerValue,
  type CelType,
  type CelValue,
  celFailure,
  type Compilation,
  compileCel,
  evaluate,
  formatType,
  type Variables,
} from "../../../../cel/index.ts";
import type { JsonValue } from "../../../../json/index.ts";
import type { ApiContext } from "../../api-context.ts";
import { requestValue } from "../request-value.ts";
import type { VersionedAttributes } from "../versioned.ts";
import { accessDecider, checkOfRequest } from "./access-decider.ts";
import { messageType } from "./message-types.ts";
import { expressionVariables } from "./variables.ts";

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface ScopeOptions {
  readonly hasParams: boolean;
  readonly hasAuthorizer?: boolean;
  readonly variables?: readonly NamedExpression[];
  /** Whether expressions make objects: `Object{}`, `JSONPatch{}`. */
  readonly makesObjects?: boolean;
}

export type EvaluatedExpression =
  | { readonly kind: "value"; readonly value: CelValue }
  | { readonly kind: "error"; readonly message: string };

/** What expressions are about in one request. */
export interface ExpressionInputs {
  readonly context: ApiContext;
  readonly attributes: VersionedAttributes;
  readonly namespaceObject: JsonValue;
  readonly params: JsonValue;
}

export interface CompiledExpression {
  readonly text: string;
  readonly compilation: Compilation;
}

const variablesName = "variables";

/** The names that the expressions of one policy share, its own variables among them. */
export class ExpressionScope {
  readonly #variables: Variables;
  readonly #own = new Map<string, CompiledExpression>();
  readonly #makesObjects: boolean;

  constructor({
    hasParams,
    hasAuthorizer = true,
    variables = [],
    makesObjects = false,
  }: ScopeOptions) {
    this.#makesObjects = makesObjects;
    const types = new Map<string, CelType>();
    const own: CelType = { kind: "object", name: "kubernetes.variables", fields: types };
    this.#variables = {
      ...expressionVariables({ hasParams, hasAuthorizer }),
      [variablesName]: { type: own },
    };
    // Each may name those before it.
    for (const { name, expression } of variables) {
      const compiled = this.compile(expression);
      this.#own.set(name, compiled);
      if (compiled.compilation.kind === "program")
        types.set(name, compiled.compilation.program.type);
    }
  }

  /** Reads an expression that must give one of some types, if any are named. */
  compile(text: string, results: readonly string[] = []): CompiledExpression {
    const messages = this.#makesObjects ? messageType : undefined;
    const compilation = compileCel(text, this.#variables, messages);
    if (compilation.kind === "problems" || results.length === 0) return { text, compilation };
    const found = formatType(compilation.program.type);
    if (results.includes(found)) return { text, compilation };
    const wanted = results.length === 1 ? results[0] : `one of [${results.join(" ")}]`;
    const problem = `must evaluate to ${wanted} but got ${found}`;
    return { text, compilation: { kind: "problems", text: problem, problems: [] } };
  }

  /** What evaluates expressions for one request; each variable is worked out once. */
  evaluator(inputs: ExpressionInputs): (expression: CompiledExpression) => EvaluatedExpression {
    const { context, attributes, namespaceObject, params } = inputs;
    const { object, old } = attributes;
    const bindings = {
      object: (object ?? null) as JsonValue,
      oldObject: (old ?? null) as JsonValue,
      request: requestValue(attributes),
      namespaceObject,
      params,
    };
    const known = new Map<string, CelValue>();
    const run = ({ text, compilation }: CompiledExpression): EvaluatedExpression => {
      if (compilation.kind === "problems") {
        return {
          kind: "error",
          message: `compilation error: ${describeProblem(compilation.text)}`,
        };
      }
      const outcome = evaluate(compilation.program, bindings, { values });
      if (outcome.kind === "value") return { kind: "value", value: outcome.value };
      const why = outcome.kind === "failure" ? outcome.message : tooCostly;
      return { kind: "error", message: `expression '${text}' resulted in error: ${why}` };
    };
    const variable = (name: string): CelValue | undefined => {
      const cached = known.get(name);
      const compiled = this.#own.get(name);
      if (cached !== undefined || compiled === undefined) return cached;
      if (compiled.compilation.kind === "problems") {
        return celFailure(
          `composited variable ${JSON.stringify(name)} fails to compile: ${compiled.compilation.text}`,
        );
      }
      const outcome = evaluate(compiled.compilation.program, bindings, { values });
      if (outcome.kind !== "value") {
        const why = outcome.kind === "failure" ? outcome.message : tooCostly;
        return celFailure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${why}`);
      }
      known.set(name, outcome.value);
      return outcome.value;
    };
    const decide = accessDecider(context, attributes.request.request.user);
    const own = {
      isMap: true,
      objectName: "kubernetes.variables",
      size: this.#own.size,
      keys: () => [...this.#own.keys()],
      get: (key: CelValue) => (typeof key === "string" ? variable(key) : undefined),
    } as const;
    const values = (name: string): CelValue | undefined => {
      switch (name) {
        case variablesName:
          return own;
        case "authorizer":
          return authorizerValue(decide);
        case "authorizer.requestResource":
          return authorizerValue(decide, checkOfRequest(attributes));
        case "namespaceObject":
          return namespaceObject === null ? null : undefined;
        default:
          return undefined;
      }
    };
    return run;
  }
}

const tooCostly = "operation cancelled: actual cost limit exceeded";

/** Mistakes of the language are compile errors; a wrong type of result is told as it is. */
export function describeProblem(text: string): string {
  return text.startsWith("must evaluate to") ? text : `compilation failed: ${text}`;
}
