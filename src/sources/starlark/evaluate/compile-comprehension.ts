import { raise } from "../evaluation-error.ts";
import type { Meter } from "../limits.ts";
import { iterate } from "../operations/iterate.ts";
import { entryBytes, objectBytes, wordBytes } from "../operations/size.ts";
import { isTrue } from "../operations/truth.ts";
import { typeName } from "../operations/type-name.ts";
import type { Comprehension, ForClause, IfClause } from "../syntax/syntax-tree.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import type { Value } from "../values/value.ts";
import { compileTarget } from "./compile-assignment.ts";
import { compileExpression, type Evaluate } from "./compile-expression.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation } from "./module-scope.ts";

type Run = (frame: Frame) => void;

/**
 * What is being built lives in a slot of its own: there the estimate of memory finds it, and
 * recursion through the body gets another.
 */
export function compileComprehension(
  compilation: FunctionCompilation,
  { body, first, rest }: Comprehension,
): Evaluate {
  const { meter } = compilation.module;
  const slot = compilation.slotCount++;
  const isDict = "key" in body;
  let run = compileBody(compilation, body, slot);
  for (const clause of [first, ...rest].toReversed()) run = compileClause(compilation, clause, run);
  return (frame) => {
    meter.allocate(objectBytes);
    const outer = frame.slots[slot];
    const result: Value = isDict ? new StarlarkDict() : new StarlarkList();
    frame.slots[slot] = result;
    run(frame);
    frame.slots[slot] = outer;
    return result;
  };
}

function compileBody(
  compilation: FunctionCompilation,
  body: Comprehension["body"],
  slot: number,
): Run {
  const { meter } = compilation.module;
  if ("key" in body) {
    const key = compileExpression(compilation, body.key);
    const value = compileExpression(compilation, body.value);
    return (frame) => {
      const evaluatedKey = key(frame);
      const evaluatedValue = value(frame);
      frame.position = body.colon;
      meter.allocate(entryBytes);
      (frame.slots[slot] as StarlarkDict).set(evaluatedKey, evaluatedValue);
    };
  }
  const item = compileExpression(compilation, body);
  return (frame) => {
    const value = item(frame);
    meter.allocate(wordBytes);
    (frame.slots[slot] as StarlarkList).items.push(value);
  };
}

function compileClause(
  compilation: FunctionCompilation,
  clause: ForClause | IfClause,
  run: Run,
): Run {
  if (clause.kind === "for") return compileForClause(compilation, clause, run);
  const condition = compileExpression(compilation, clause.condition);
  return (frame) => {
    if (isTrue(condition(frame))) run(frame);
  };
}

function compileForClause(
  compilation: FunctionCompilation,
  { position, target, iterable }: ForClause,
  run: Run,
): Run {
  const { meter } = compilation.module;
  const evaluate = compileExpression(compilation, iterable);
  const assign = compileTarget(compilation, target, position);
  return (frame) => {
    const value = evaluate(frame);
    frame.position = position;
    const iterator = iterate(value) ?? raise(`${typeName(value)} value is not iterable`);
    try {
      for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
        countRound(meter);
        assign(frame, item);
        run(frame);
      }
    } finally {
      iterator.done();
    }
  };
}

function countRound(meter: Meter): void {
  if (--meter.fuel < 0) meter.refuel();
}
