import { asByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { formatPercent } from "../format-percent.ts";
import type { Meter } from "../limits.ts";
import type { BinaryOperator } from "../syntax/syntax-tree.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import { StarlarkDict } from "../values/dict.ts";
import { isInt } from "../values/int.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkSet } from "../values/set.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import { StarlarkObject, type Value } from "../values/value.ts";
import { arithmetic, shift, type ArithmeticOperator } from "./arithmetic.ts";
import { typeName } from "./type-name.ts";
import { entryBytes, objectBytes, wordBytes } from "./size.ts";
import { repeat } from "./repeat.ts";

type Operator = Exclude<BinaryOperator, "and" | "or" | "==" | "!=" | "<" | ">" | "<=" | ">=">;

/** Applies any operator that is neither a comparison nor lazy. */
export function binary(meter: Meter, operator: Operator, left: Value, right: Value): Value {
  const result =
    apply(meter, operator, left, right) ??
    (left instanceof StarlarkObject ? left.binary(operator, right, "left") : undefined) ??
    (right instanceof StarlarkObject ? right.binary(operator, left, "right") : undefined);
  if (result === undefined) {
    const shown = operator === "not in" ? "in" : operator;
    raise(`unknown binary op: ${typeName(left)} ${shown} ${typeName(right)}`);
  }
  return result;
}

function apply(meter: Meter, operator: Operator, left: Value, right: Value): Value | undefined {
  switch (operator) {
    case "+":
      return concatenate(meter, left, right) ?? arithmetic(meter, operator, left, right);
    case "*":
      return repeat(meter, left, right) ?? arithmetic(meter, operator, left, right);
    case "%":
      if (typeof left !== "string") return arithmetic(meter, operator, left, right);
      return formatPercent(meter, left, right);
    case "-":
      if (left instanceof StarlarkSet) return setOperation(meter, operator, left, right);
      return arithmetic(meter, operator, left, right);
    case "/":
    case "//":
      return arithmetic(meter, operator, left, right);
    case "<<":
    case ">>":
      return isInt(left) ? shift(meter, operator, left, right) : undefined;
    case "&":
    case "|":
    case "^":
      if (operator === "|" && left instanceof StarlarkDict && right instanceof StarlarkDict) {
        meter.allocate(objectBytes + (left.length + right.length) * entryBytes);
        meter.step(left.length + right.length);
        return new StarlarkDict([...left.entries(), ...right.entries()]);
      }
      if (left instanceof StarlarkSet) return setOperation(meter, operator, left, right);
      return bitwise(meter, operator, left, right);
    case "in":
      return contains(left, right);
    case "not in": {
      const found = contains(left, right);
      return found === undefined ? undefined : !found;
    }
  }
}

function concatenate(meter: Meter, left: Value, right: Value): Value | undefined {
  if (typeof left === "string" && typeof right === "string") {
    meter.allocate(left.length + right.length);
    return asByteText(left + right);
  }
  if (left instanceof StarlarkBytes && right instanceof StarlarkBytes) {
    meter.allocate(objectBytes + left.length + right.length);
    return new StarlarkBytes(asByteText(left.bytes + right.bytes));
  }
  const isLists = left instanceof StarlarkList && right instanceof StarlarkList;
  const isTuples = left instanceof StarlarkTuple && right instanceof StarlarkTuple;
  if (!isLists && !isTuples) return undefined;
  meter.allocate(objectBytes + (left.length + right.length) * wordBytes);
  if (isLists) return new StarlarkList([...left.items, ...right.items]);
  return isTuples ? new StarlarkTuple([...left.items, ...right.items]) : undefined;
}

function bitwise(
  meter: Meter,
  operator: Extract<ArithmeticOperator, "&" | "|" | "^">,
  left: Value,
  right: Value,
): Value | undefined {
  return isInt(left) && isInt(right) ? arithmetic(meter, operator, left, right) : undefined;
}

function setOperation(
  meter: Meter,
  operator: "-" | "&" | "|" | "^",
  left: StarlarkSet,
  right: Value,
): Value | undefined {
  if (!(right instanceof StarlarkSet)) return undefined;
  meter.allocate(objectBytes + (left.length + right.length) * entryBytes);
  meter.step(left.length + right.length);
  return combineSets(operator, left, right.keys());
}

/** Union, intersection, difference and symmetric difference; the right side is any elements. */
export function combineSets(
  operator: "-" | "&" | "|" | "^",
  left: StarlarkSet,
  right: readonly Value[],
): StarlarkSet {
  if (operator === "|") return new StarlarkSet([...left.keys(), ...right]);
  if (operator === "&") return new StarlarkSet(right.filter((element) => left.has(element)));
  const result = new StarlarkSet(left.keys());
  for (const element of right) {
    const wasThere = result.delete(element) !== undefined;
    if (operator === "^" && !wasThere) result.add(element);
  }
  return result;
}

function contains(element: Value, container: Value): boolean | undefined {
  if (typeof container === "string") {
    if (typeof element === "string") return container.includes(element);
    raise(`'in <string>' requires string as left operand, not ${typeName(element)}`);
  }
  if (container instanceof StarlarkDict) return hasKey(container, element);
  return container instanceof StarlarkObject ? container.contains(element) : undefined;
}

/** A value that cannot be a key is simply not in the dict. */
function hasKey(dict: StarlarkDict, key: Value): boolean {
  try {
    return dict.has(key);
  } catch {
    return false;
  }
}
