import { decodeText, encodeText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { nearestName } from "../nearest-name.ts";
import { iterate } from "../operations/iterate.ts";
import { isTrue } from "../operations/truth.ts";
import { typeName } from "../operations/type-name.ts";
import type { LoadStatement, Statement } from "../syntax/syntax-tree.ts";
import { StarlarkRange } from "../values/range.ts";
import type { Value } from "../values/value.ts";
import { compileAssignment, compileSet, compileTarget, type Assign } from "./compile-assignment.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileFunction } from "./compile-function.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation } from "./module-scope.ts";

/** How a statement ended. Numbers, as loops look at them after every round. */
export type Completion = 0 | 1 | 2 | 3;
const normal = 0;
const broken = 1;
const continued = 2;
const returned = 3;

export type Execute = (frame: Frame) => Completion;

/** Statements in a row; each counts as one step. */
export function compileBlock(
  compilation: FunctionCompilation,
  statements: readonly Statement[],
): Execute {
  const { meter } = compilation.module;
  const parts = statements.map((statement) => compileStatement(compilation, statement));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    return (frame) => {
      if (--meter.fuel < 0) meter.refuel();
      return only(frame);
    };
  }
  return (frame) => {
    for (const part of parts) {
      if (--meter.fuel < 0) meter.refuel();
      const completion = part(frame);
      if (completion !== normal) return completion;
    }
    return normal;
  };
}

function compileStatement(compilation: FunctionCompilation, statement: Statement): Execute {
  switch (statement.kind) {
    case "pass":
      return () => normal;
    case "break":
      return () => broken;
    case "continue":
      return () => continued;
    case "expression": {
      const evaluate = compileExpression(compilation, statement.value);
      return (frame) => {
        evaluate(frame);
        return normal;
      };
    }
    case "assign":
      return compileAssignment(compilation, statement);
    case "def": {
      const make = compileFunction(compilation, statement);
      const set = compileSet(compilation, statement.name);
      return (frame) => {
        set(frame, make(frame));
        return normal;
      };
    }
    case "return":
      return compileReturn(compilation, statement);
    case "if":
      return compileIf(compilation, statement);
    case "for":
      return compileFor(compilation, statement);
    case "while":
      return compileWhile(compilation, statement);
    case "load":
      return compileLoad(compilation, statement);
  }
}

type StatementOf<Kind> = Extract<Statement, { readonly kind: Kind }>;

function compileReturn(
  compilation: FunctionCompilation,
  { value }: StatementOf<"return">,
): Execute {
  if (value === undefined) return () => returned;
  const evaluate = compileExpression(compilation, value);
  return (frame) => {
    frame.result = evaluate(frame);
    return returned;
  };
}

function compileIf(compilation: FunctionCompilation, statement: StatementOf<"if">): Execute {
  const condition = compileExpression(compilation, statement.condition);
  const whenTrue = compileBlock(compilation, statement.whenTrue);
  const whenFalse = compileBlock(compilation, statement.whenFalse);
  return (frame) => (isTrue(condition(frame)) ? whenTrue(frame) : whenFalse(frame));
}

function compileWhile(compilation: FunctionCompilation, statement: StatementOf<"while">): Execute {
  const { meter } = compilation.module;
  const condition = compileExpression(compilation, statement.condition);
  const body = compileBlock(compilation, statement.body);
  return (frame) => {
    while (isTrue(condition(frame))) {
      if (--meter.fuel < 0) meter.refuel();
      const completion = body(frame);
      if (completion === broken) break;
      if (completion === returned) return completion;
    }
    return normal;
  };
}

function compileFor(compilation: FunctionCompilation, statement: StatementOf<"for">): Execute {
  const { position } = statement;
  const iterable = compileExpression(compilation, statement.iterable);
  const assign = compileTarget(compilation, statement.target, position);
  const body = compileBlock(compilation, statement.body);
  return (frame) => {
    const value = iterable(frame);
    frame.position = position;
    return value instanceof StarlarkRange
      ? loopOverRange(frame, value, assign, body)
      : loopOver(frame, value, assign, body);
  };
}

/** The most common loop runs without an iterator. */
function loopOverRange(
  frame: Frame,
  range: StarlarkRange,
  assign: Assign,
  body: Execute,
): Completion {
  const { length, start, step } = range;
  for (let index = 0; index < length; index++) {
    assign(frame, start + index * step);
    const completion = body(frame);
    if (completion === broken) break;
    if (completion === returned) return completion;
  }
  return normal;
}

function loopOver(frame: Frame, value: Value, assign: Assign, body: Execute): Completion {
  const iterator = iterate(value) ?? raise(`${typeName(value)} value is not iterable`);
  try {
    for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
      assign(frame, item);
      const completion = body(frame);
      if (completion === broken) break;
      if (completion === returned) return completion;
    }
  } finally {
    iterator.done();
  }
  return normal;
}

function compileLoad(compilation: FunctionCompilation, statement: LoadStatement): Execute {
  const module = decodeText(statement.module);
  const names = statement.names.map(({ from, to }) => ({
    from: from.name,
    set: compileSet(compilation, to),
  }));
  return (frame) => {
    frame.position = statement.position;
    const globals = frame.thread.host.load(module, frame.thread);
    for (const { from, set } of names) {
      const value = globals.get(from);
      if (value === undefined) raise(missingName(from, module, globals));
      set(frame, value);
    }
    return normal;
  };
}

function missingName(name: string, module: string, globals: ReadonlyMap<string, Value>): string {
  const nearest = nearestName(name, [...globals.keys()].sort());
  const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
  return `load: name ${name} not found in module ${encodeText(module)}${hint}`;
}
