import { raise } from "../evaluation-error.ts";
import { attributeOf, setAttribute } from "../operations/attribute.ts";
import { binary } from "../operations/binary.ts";
import { elementOf, setElement } from "../operations/element.ts";
import { collect, isIterable, lengthOf } from "../operations/iterate.ts";
import { entryBytes } from "../operations/size.ts";
import { typeName } from "../operations/type-name.ts";
import type { Meter } from "../limits.ts";
import type { Position } from "../syntax/position.ts";
import {
  withoutParens,
  type AssignStatement,
  type AugmentedOperator,
  type Expression,
  type Identifier,
} from "../syntax/syntax-tree.ts";
import type { Cell } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import type { Value } from "../values/value.ts";
import { applyFast } from "./compile-operator.ts";
import { compileExpression } from "./compile-expression.ts";
import type { Execute } from "./compile-statement.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation } from "./module-scope.ts";

export type Assign = (frame: Frame, value: Value) => void;

export function compileAssignment(
  compilation: FunctionCompilation,
  statement: AssignStatement,
): Execute {
  if (statement.operator !== undefined) {
    return compileAugmented(compilation, statement, statement.operator);
  }
  const value = compileExpression(compilation, statement.value);
  const assign = compileTarget(compilation, statement.target, statement.operatorPosition);
  return (frame) => {
    assign(frame, value(frame));
    return 0;
  };
}

/** Whatever may stand on the left side, or between `for` and `in`. */
export function compileTarget(
  compilation: FunctionCompilation,
  target: Expression,
  position: Position,
): Assign {
  const place = withoutParens(target);
  if (place.kind === "identifier") return compileSet(compilation, place);
  if (place.kind === "tuple" || place.kind === "list") {
    return compileUnpacking(compilation, place.items, position);
  }
  if (place.kind === "index") {
    const operand = compileExpression(compilation, place.operand);
    const index = compileExpression(compilation, place.index);
    const { meter } = compilation.module;
    return (frame, value) => {
      const container = operand(frame);
      const key = index(frame);
      frame.position = place.bracket;
      meter.allocate(entryBytes);
      setElement(container, key, value);
    };
  }
  if (place.kind !== "dot") throw new TypeError(`cannot assign to ${place.kind}`);
  const operand = compileExpression(compilation, place.operand);
  return (frame, value) => {
    const owner = operand(frame);
    frame.position = place.dot;
    setAttribute(owner, place.name.name, value);
  };
}

export function compileSet(compilation: FunctionCompilation, identifier: Identifier): Assign {
  const { resolution, globals } = compilation.module;
  const binding = resolution.bindings.get(identifier);
  const index = binding?.index ?? -1;
  if (binding?.scope === "global") {
    return (_frame, value) => {
      globals[index] = value;
    };
  }
  if (binding?.scope === "cell") {
    return (frame, value) => {
      (frame.slots[index] as Cell).value = value;
    };
  }
  if (binding?.scope !== "local") throw new TypeError(`${identifier.name} is no variable`);
  return (frame, value) => {
    frame.slots[index] = value;
  };
}

function compileUnpacking(
  compilation: FunctionCompilation,
  targets: readonly Expression[],
  position: Position,
): Assign {
  const assigns = targets.map((target) => compileTarget(compilation, target, position));
  const { meter } = compilation.module;
  return (frame, value) => {
    frame.position = position;
    const items = unpack(meter, value, assigns.length);
    for (const [index, assign] of assigns.entries()) {
      const item = items[index];
      if (item !== undefined) assign(frame, item);
    }
  };
}

function unpack(meter: Meter, value: Value, count: number): readonly Value[] {
  const length = lengthOf(value);
  if (!isIterable(value)) raise(`got ${typeName(value)} in sequence assignment`);
  if (length > count) raise(`too many values to unpack (got ${length}, want ${count})`);
  const items = collect(meter, value) ?? [];
  if (items.length > count) raise(`too many values to unpack (got ${length}, want ${count})`);
  if (items.length < count) {
    raise(`too few values to unpack (got ${items.length}, want ${count})`);
  }
  return items;
}

/** The target is evaluated once, for reading and for writing. */
function compileAugmented(
  compilation: FunctionCompilation,
  { target, value, operatorPosition }: AssignStatement,
  operator: AugmentedOperator,
): Execute {
  const { meter } = compilation.module;
  const right = compileExpression(compilation, value);
  const combine = (frame: Frame, left: Value): Value => {
    const operand = right(frame);
    const fast = applyFast(operator, left, operand);
    if (fast !== undefined) return fast;
    frame.position = operatorPosition;
    return combineInPlace(meter, operator, left, operand);
  };
  const place = withoutParens(target);
  if (place.kind === "identifier") {
    const get = compileExpression(compilation, place);
    const set = compileSet(compilation, place);
    return (frame) => {
      set(frame, combine(frame, get(frame)));
      return 0;
    };
  }
  if (place.kind === "index") {
    const operand = compileExpression(compilation, place.operand);
    const index = compileExpression(compilation, place.index);
    return (frame) => {
      const container = operand(frame);
      const key = index(frame);
      frame.position = place.bracket;
      const result = combine(frame, elementOf(container, key));
      frame.position = place.bracket;
      setElement(container, key, result);
      return 0;
    };
  }
  if (place.kind !== "dot") throw new TypeError(`cannot assign to ${place.kind}`);
  const operand = compileExpression(compilation, place.operand);
  return (frame) => {
    const owner = operand(frame);
    frame.position = place.dot;
    const result = combine(frame, attributeOf(owner, place.name.name));
    frame.position = place.dot;
    setAttribute(owner, place.name.name, result);
    return 0;
  };
}

/** Lists grow by `+=` and dicts by `|=` where they are. */
function combineInPlace(
  meter: Meter,
  operator: AugmentedOperator,
  left: Value,
  right: Value,
): Value {
  if (operator === "+" && left instanceof StarlarkList && isIterable(right)) {
    left.checkMutable("apply += to");
    for (const item of collect(meter, right) ?? []) left.items.push(item);
    return left;
  }
  if (operator === "|" && left instanceof StarlarkDict && right instanceof StarlarkDict) {
    left.checkMutable("apply |= to");
    meter.step(right.length);
    meter.allocate(right.length * entryBytes);
    for (const [key, value] of right.entries()) left.set(key, value);
    return left;
  }
  return binary(meter, operator, left, right);
}
