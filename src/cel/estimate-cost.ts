import type { Schema } from "../schema/index.ts";
import { bounded, boundless, callCost, type Operand } from "./call-cost.ts";
import { type CelType, dyn } from "./cel-type.ts";
import type { Program } from "./compile-cel.ts";
import type { CelCall, CelComprehension, CelExpression } from "./expression.ts";
import { dottedName } from "./parse-cel.ts";
import { typeNames } from "./type-names.ts";
import { findField } from "./schema-type.ts";
import { largestSize } from "./schema-size.ts";

/**
 * The most steps that a program can take for values of its schema, counted as the server counts
 * before it accepts a rule: every list as long as it may be, every branch taken at its worst.
 */
export function estimateCost({ expression, types }: Program, root: Schema): number {
  return new Estimator(root, types).estimate(expression, new Map()).steps;
}

/** What is known of the value of an expression. */
interface Estimate {
  readonly steps: number;
  readonly size: number;
  readonly itemSize: number;
  /** The schema of the value, when it is a part of the object. */
  readonly place: Schema | undefined;
}

type Scope = ReadonlyMap<string, Pick<Estimate, "size" | "place">>;

const listSteps = 10;
const mapSteps = 30;
/** The keys of maps count as nothing, as the server has it. */
const keySchema: Schema = { type: "integer" };

class Estimator {
  readonly #root: Schema;
  readonly #types: ReadonlyMap<CelExpression, CelType>;

  constructor(root: Schema, types: ReadonlyMap<CelExpression, CelType>) {
    this.#root = root;
    this.#types = types;
  }

  estimate(expression: CelExpression, scope: Scope): Estimate {
    switch (expression.kind) {
      case "literal":
        return estimated(0, literalSize(expression.value));
      case "identifier": {
        const variable = scope.get(expression.name);
        if (variable === undefined) return at(1, this.#root);
        if (variable.place !== undefined) return at(1, variable.place);
        return estimated(1, variable.size);
      }
      case "select":
        return this.#select(expression, scope);
      case "index":
        return this.#index(expression, scope);
      case "call":
        return this.#call(expression, scope);
      case "logical": {
        const left = this.estimate(expression.left, scope);
        const right = this.estimate(expression.right, scope);
        return estimated(left.steps + right.steps, 1);
      }
      case "conditional": {
        const condition = this.estimate(expression.condition, scope);
        const then = this.estimate(expression.whenTrue, scope);
        const otherwise = this.estimate(expression.whenFalse, scope);
        return estimated(
          condition.steps + Math.max(then.steps, otherwise.steps),
          Math.max(then.size, otherwise.size),
          Math.max(then.itemSize, otherwise.itemSize),
        );
      }
      case "list": {
        const items = expression.items.map((item) => this.estimate(item, scope));
        const itemSize = Math.max(0, ...items.map(({ size }) => size));
        return estimated(total(items) + listSteps, items.length, itemSize);
      }
      case "map": {
        const entries = expression.entries.flat().map((part) => this.estimate(part, scope));
        return estimated(total(entries) + mapSteps, expression.entries.length);
      }
      case "comprehension":
        return this.#comprehension(expression, scope);
      case "optional-map": {
        const target = this.estimate(expression.target, scope);
        const inner = new Map(scope).set(expression.variable, {
          size: this.#sizeOf(expression.target, target.size),
          place: undefined,
        });
        const body = this.estimate(expression.body, inner);
        // It asks whether there is a value, takes it and wraps what the body makes of it.
        const wrapping = expression.isFlat ? 0 : 1;
        return estimated(2 * target.steps + 2 + listSteps + body.steps + wrapping, boundless);
      }
    }
  }

  #select(expression: CelExpression & { kind: "select" }, scope: Scope): Estimate {
    const name = dottedName(expression);
    if (name !== undefined && typeNames.has(name)) return at(1, this.#root);
    const operand = this.estimate(expression.operand, scope);
    if (expression.mode === "presence") return estimated(operand.steps, 1);
    if (expression.mode === "optional") return this.#unknown(operand.steps + 1, expression);
    const { kind } = this.#typeOf(expression.operand);
    const steps = operand.steps + (kind === "map" || kind === "object" ? 1 : 0);
    const owner = operand.place ?? this.#root;
    const place = findField(owner, expression.field)?.schema;
    return place === undefined ? this.#unknown(steps, expression) : at(steps, place);
  }

  #index(expression: CelExpression & { kind: "index" }, scope: Scope): Estimate {
    const operand = this.estimate(expression.operand, scope);
    const index = this.estimate(expression.index, scope);
    const steps = operand.steps + index.steps + 1;
    if (expression.mode === "optional") return this.#unknown(steps, expression);
    const place = operand.place === undefined ? this.#root : below(operand.place);
    return place === undefined ? this.#unknown(steps, expression) : at(steps, place);
  }

  #call(call: CelCall, scope: Scope): Estimate {
    const parts = call.target === undefined ? call.args : [call.target, ...call.args];
    const estimates = parts.map((part) => this.estimate(part, scope));
    const operands = parts.map((part, index): Operand => {
      const { size = boundless, itemSize = boundless } = estimates[index] ?? {};
      return { type: this.#typeOf(part), size, itemSize };
    });
    const { steps, size } = callCost(call.name, operands);
    const sum = bounded(total(estimates) + steps);
    if (call.name === "dyn") return { ...(estimates[0] ?? estimated(0, boundless)), steps: sum };
    return size === undefined ? this.#unknown(sum, call) : estimated(sum, size);
  }

  #comprehension(expression: CelComprehension, scope: Scope): Estimate {
    const range = this.estimate(expression.range, scope);
    const isMap = this.#typeOf(expression.range).kind === "map";
    const item = range.place === undefined ? this.#root : below(range.place);
    const value = { size: range.itemSize, place: item };
    const key = { size: 1, place: isMap ? keySchema : undefined };
    const inner = new Map(scope);
    const [first, second] = expression.variables;
    if (second === undefined) inner.set(first, isMap ? key : value);
    else inner.set(first, key).set(second, value);
    const condition = expression.condition && this.estimate(expression.condition, inner);
    const transform = expression.transform && this.estimate(expression.transform, inner);
    const [before, each, after] = loopSteps(expression.macro);
    const step = each + (condition?.steps ?? 0) + (transform?.steps ?? 0);
    // Every item is compared with every other one, there and back.
    const sorting = expression.macro === "sortBy" ? 2 * range.size ** 2 + 22 : 0;
    const looping = bounded(range.size * step + sorting);
    const steps = bounded(range.steps + before + after + looping);
    if (["all", "exists", "exists_one"].includes(expression.macro)) return estimated(steps, 1);
    return estimated(steps, range.size, transform?.size ?? range.itemSize);
  }

  #typeOf(expression: CelExpression): CelType {
    return this.#types.get(expression) ?? dyn;
  }

  #unknown(steps: number, expression: CelExpression): Estimate {
    return estimated(steps, this.#sizeOf(expression, boundless));
  }

  /** Numbers, times and the like have a size of one. */
  #sizeOf(expression: CelExpression, otherwise: number): number {
    const type = this.#typeOf(expression);
    const { kind } = type.kind === "optional" ? type.item : type;
    return ["bool", "int", "uint", "double", "duration", "timestamp"].includes(kind)
      ? 1
      : otherwise;
  }
}

/** A part of the object, as large as its schema lets it be. */
function at(steps: number, place: Schema): Estimate {
  const items = below(place);
  return {
    steps,
    size: largestSize(place),
    itemSize: items === undefined ? boundless : largestSize(items),
    place,
  };
}

function estimated(steps: number, size: number, itemSize = boundless): Estimate {
  return { steps: bounded(steps), size, itemSize, place: undefined };
}

function total(estimates: readonly Estimate[]): number {
  return bounded(estimates.reduce((sum, { steps }) => sum + steps, 0));
}

/** The schema of the items of a list or the values of a map. */
function below({ items, additionalProperties }: Schema): Schema | undefined {
  return items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

/** What a macro takes before its loop, in each round besides its own expressions, and after it. */
function loopSteps(macro: CelComprehension["macro"]): readonly [number, number, number] {
  switch (macro) {
    case "all":
      return [0, 3, 1];
    case "exists":
      return [0, 4, 1];
    case "exists_one":
      return [0, 2, 2];
    case "filter":
      return [listSteps, 13, 1];
    case "map":
    case "transformList":
    case "sortBy":
      return [listSteps, 12, 1];
    case "transformMap":
    case "transformMapEntry":
      return [mapSteps, 3, 1];
  }
}

function literalSize(value: unknown): number {
  // Code points, not letters, are what a text is as long as.
  if (typeof value === "string") return Array.from(value).length;
  return value instanceof Uint8Array ? value.length : 1;
}
