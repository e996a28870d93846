import { equalCelValues } from "./equal-values.ts";
import {
  CostExceeded,
  CelError,
  celFailure,
  MissingValue,
  noSuchOverload,
} from "./evaluation-error.ts";
import { evaluateComprehension } from "./evaluate-comprehension.ts";
import type { CelCall, CelExpression } from "./expression.ts";
import type { CostMeter } from "./meter.ts";
import { dottedName } from "./parse-cel.ts";
import { typeNames } from "./type-names.ts";
import {
  type CelValue,
  isMapValue,
  mapKey,
  ListValue,
  mapFromEntries,
  matchesType,
  none,
  OptionalValue,
  TypeValue,
} from "./values.ts";

/** The variables that are in sight. */
export interface Bindings {
  readonly get: (name: string) => CelValue | undefined;
}

/** The value of an expression; throws an EvaluationError when it has none. */
export function evaluateExpression(
  expression: CelExpression,
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "identifier":
      meter.spend(1);
      return lookUp(expression.name, bindings);
    case "select":
      meter.spend(1);
      return evaluateSelect(expression, bindings, meter);
    case "index":
      meter.spend(1);
      return evaluateIndex(expression, bindings, meter);
    case "call":
      return evaluateCall(expression, bindings, meter);
    case "logical":
      return evaluateLogical(expression, bindings, meter);
    case "conditional": {
      const condition = evaluateExpression(expression.condition, bindings, meter);
      if (typeof condition !== "boolean") return noSuchOverload();
      const branch = condition ? expression.whenTrue : expression.whenFalse;
      return evaluateExpression(branch, bindings, meter);
    }
    case "list":
      meter.spend(10);
      return ListValue.of(
        expression.items.flatMap((item) => {
          const value = evaluateExpression(item, bindings, meter);
          return expression.optionals?.has(item) === true ? presentOnly(value) : [value];
        }),
      );
    case "map":
      return evaluateMap(expression, bindings, meter);
    case "comprehension":
      return evaluateComprehension(expression, bindings, meter);
    case "optional-map": {
      const target = evaluateExpression(expression.target, bindings, meter);
      if (!(target instanceof OptionalValue)) return noSuchOverload();
      const { value } = target;
      if (value === undefined) return none;
      const inner = bind(bindings, expression.variable, value);
      const body = evaluateExpression(expression.body, inner, meter);
      return expression.isFlat ? body : new OptionalValue(body);
    }
  }
}

export function bind(bindings: Bindings, name: string, value: CelValue): Bindings {
  return { get: (asked) => (asked === name ? value : bindings.get(asked)) };
}

function lookUp(name: string, bindings: Bindings): CelValue {
  const value = bindings.get(name);
  if (value !== undefined) return value;
  if (typeNames.has(name)) return new TypeValue(name);
  return celFailure(`no such attribute(s): ${name}`);
}

function evaluateSelect(
  expression: CelExpression & { kind: "select" },
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  const { field, mode } = expression;
  const qualified = dottedName(expression);
  if (qualified !== undefined) {
    if (typeNames.has(qualified)) return new TypeValue(qualified);
    const variable = bindings.get(qualified);
    if (variable !== undefined) return variable;
  }
  const operand = evaluateExpression(expression.operand, bindings, meter);
  const isOptional = operand instanceof OptionalValue;
  const container = isOptional ? operand.value : operand;
  if (container === undefined) return mode === "presence" ? false : none;
  if (!isMapValue(container)) {
    return celFailure(mode === "presence" ? "no such overload" : `no such key: ${field}`);
  }
  const value = container.get(field);
  if (mode === "presence") return value !== undefined;
  if (mode === "optional" || isOptional) {
    return value === undefined ? none : new OptionalValue(value);
  }
  return valueOr(value, `no such key: ${field}`);
}

function valueOr(value: CelValue | undefined, message: string): CelValue {
  if (value === undefined) throw new MissingValue(message);
  return value;
}

function evaluateIndex(
  expression: CelExpression & { kind: "index" },
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  const operand = evaluateExpression(expression.operand, bindings, meter);
  const index = evaluateExpression(expression.index, bindings, meter);
  const isOptional = operand instanceof OptionalValue;
  const container = isOptional ? operand.value : operand;
  if (container === undefined) return none;
  const value = indexed(container, index);
  if (expression.mode === "optional" || isOptional) {
    return value === undefined ? none : new OptionalValue(value);
  }
  const shown = mapKey(index).slice(1);
  const message =
    container instanceof ListValue ? `index out of bounds: ${shown}` : `no such key: ${shown}`;
  return valueOr(value, message);
}

function indexed(container: CelValue, index: CelValue): CelValue | undefined {
  if (container instanceof ListValue) {
    if (typeof index !== "bigint" && typeof index !== "number") {
      return celFailure("unsupported index type in list");
    }
    const at = Number(index);
    return at >= 0 && at < container.length ? container.at(at) : undefined;
  }
  return isMapValue(container) ? container.get(index) : noSuchOverload();
}

function evaluateCall(call: CelCall, bindings: Bindings, meter: CostMeter): CelValue {
  const args: CelValue[] = [];
  if (call.target !== undefined) args.push(evaluateExpression(call.target, bindings, meter));
  for (const arg of call.args) args.push(evaluateExpression(arg, bindings, meter));
  meter.spend(1);
  if (call.name === "_==_" || call.name === "_!=_") {
    const [left = null, right = null] = args;
    return equalCelValues(left, right, meter) === (call.name === "_==_");
  }
  const overload = call.overloads.find(({ parameters }) =>
    parameters.every((parameter, index) => matchesType(parameter, args[index] ?? null)),
  );
  if (overload !== undefined) return overload.call(args, meter);
  const isNamed = call.overloads.length > 1 && /^\w/.test(call.name) && !call.name.startsWith("_");
  return noSuchOverload(isNamed ? call.name : "");
}

/** One side alone may decide, even when the other one fails. */
function evaluateLogical(
  expression: CelExpression & { kind: "logical" },
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  const { decisive, left, right } = expression;
  const first = attempt(() => evaluateExpression(left, bindings, meter));
  if (first === decisive) return decisive;
  const second = attempt(() => evaluateExpression(right, bindings, meter));
  if (second === decisive) return decisive;
  if (first instanceof CelError) throw first;
  if (second instanceof CelError) throw second;
  return typeof first === "boolean" && typeof second === "boolean" ? !decisive : noSuchOverload();
}

/** A failure as a value, except running out of budget, which ends everything. */
export function attempt(run: () => CelValue): CelValue | CelError {
  try {
    return run();
  } catch (error) {
    if (error instanceof CelError && !(error instanceof CostExceeded)) return error;
    throw error;
  }
}

function evaluateMap(
  expression: CelExpression & { kind: "map" },
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  meter.spend(30);
  const entries = expression.entries.flatMap(([key, value]) => {
    const name = evaluateExpression(key, bindings, meter);
    const held = evaluateExpression(value, bindings, meter);
    const isOptional = expression.optionals?.has(value) === true;
    return (isOptional ? presentOnly(held) : [held]).map((each) => [name, each] as const);
  });
  const map = mapFromEntries(entries);
  if (map.size < entries.length) return celFailure("Failed with repeated key");
  const { typeName } = expression;
  return typeName === undefined ? map : { ...map, objectName: typeName };
}

/** The value of an optional item, if it has one. */
function presentOnly(value: CelValue): readonly CelValue[] {
  if (!(value instanceof OptionalValue)) return noSuchOverload();
  return value.value === undefined ? [] : [value.value];
}
