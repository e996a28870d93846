import { CelError, celFailure, noSuchOverload } from "./evaluation-error.ts";
import { attempt, bind, type Bindings, evaluateExpression } from "./evaluate-expression.ts";
import type { CelComprehension, CelExpression } from "./expression.ts";
import { sortByKeys } from "./library/compare-values.ts";
import type { CostMeter } from "./meter.ts";
import { type CelValue, isMapValue, mapKey, ListValue, mapFromEntries } from "./values.ts";

/** Runs a macro over the items of a list or the keys of a map. */
export function evaluateComprehension(
  expression: CelComprehension,
  bindings: Bindings,
  meter: CostMeter,
): CelValue {
  const range = evaluateExpression(expression.range, bindings, meter);
  const { condition, transform, macro } = expression;
  const steps = stepsOf(range, expression.variables, bindings);
  const holds = (step: Step): boolean => {
    meter.spend(1);
    return condition === undefined || isTrue(evaluateExpression(condition, step.bindings, meter));
  };
  const apply = (step: Step): CelValue =>
    transform === undefined ? step.item : evaluateExpression(transform, step.bindings, meter);
  switch (macro) {
    case "all":
      return quantify(steps, condition, false, meter);
    case "exists":
      return quantify(steps, condition, true, meter);
    case "exists_one": {
      let count = 0;
      for (const step of steps) if (holds(step)) count++;
      return count === 1;
    }
    case "filter":
    case "map":
    case "transformList": {
      const items: CelValue[] = [];
      for (const step of steps) if (holds(step)) items.push(apply(step));
      return ListValue.of(items);
    }
    case "transformMap": {
      const entries: [CelValue, CelValue][] = [];
      for (const step of steps) if (holds(step)) entries.push([step.key, apply(step)]);
      return mapFromEntries(entries);
    }
    case "transformMapEntry":
      return mergeEntries(steps, holds, apply);
    case "sortBy": {
      if (!(range instanceof ListValue)) return noSuchOverload();
      const pairs: [CelValue, CelValue][] = [];
      for (const step of steps) if (holds(step)) pairs.push([apply(step), step.item]);
      return ListValue.of(sortByKeys(pairs, meter));
    }
  }
}

interface Step {
  readonly key: CelValue;
  readonly item: CelValue;
  readonly bindings: Bindings;
}

function* stepsOf(
  range: CelValue,
  [first, second]: CelComprehension["variables"],
  bindings: Bindings,
): Generator<Step> {
  if (range instanceof ListValue) {
    for (let index = 0; index < range.length; index++) {
      const item = range.at(index);
      const key = BigInt(index);
      const inner =
        second === undefined
          ? bind(bindings, first, item)
          : bind(bind(bindings, first, key), second, item);
      yield { key, item, bindings: inner };
    }
  } else if (isMapValue(range)) {
    for (const key of range.keys()) {
      if (second === undefined) yield { key, item: key, bindings: bind(bindings, first, key) };
      else {
        const item = range.get(key) ?? null;
        yield { key, item, bindings: bind(bind(bindings, first, key), second, item) };
      }
    }
  } else noSuchOverload();
}

/** `all` and `exists`: one decisive item is enough, and then failures elsewhere do not count. */
function quantify(
  steps: Iterable<Step>,
  condition: CelExpression | undefined,
  decisive: boolean,
  meter: CostMeter,
): boolean {
  let failure: CelError | undefined;
  for (const step of steps) {
    meter.spend(2);
    const result = attempt(() =>
      condition === undefined ? !decisive : evaluateExpression(condition, step.bindings, meter),
    );
    if (result === decisive) return decisive;
    if (result instanceof CelError) failure ??= result;
    else if (typeof result !== "boolean") failure ??= new CelError("no such overload");
  }
  if (failure !== undefined) throw failure;
  return !decisive;
}

function mergeEntries(
  steps: Iterable<Step>,
  holds: (step: Step) => boolean,
  apply: (step: Step) => CelValue,
): CelValue {
  const keys = new Set<string>();
  const entries: [CelValue, CelValue][] = [];
  for (const step of steps) {
    if (!holds(step)) continue;
    const entry = apply(step);
    if (!isMapValue(entry)) return noSuchOverload();
    for (const key of entry.keys()) {
      entries.push([key, entry.get(key) ?? null]);
      keys.add(mapKey(key));
      if (keys.size < entries.length) {
        return celFailure(`insert failed: key ${mapKey(key).slice(1)} already exists`);
      }
    }
  }
  return mapFromEntries(entries);
}

function isTrue(value: CelValue): boolean {
  return typeof value === "boolean" ? value : noSuchOverload();
}
