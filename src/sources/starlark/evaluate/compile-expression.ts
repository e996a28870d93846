import { raise } from "../evaluation-error.ts";
import { attributeOf } from "../operations/attribute.ts";
import { elementOf, sliceOf } from "../operations/element.ts";
import { show } from "../operations/show.ts";
import { entryBytes, objectBytes, wordBytes } from "../operations/size.ts";
import { isTrue } from "../operations/truth.ts";
import type {
  DictExpression,
  Expression,
  Identifier,
  Literal,
  SliceExpression,
} from "../syntax/syntax-tree.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import type { Cell } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkFloat } from "../values/float.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";
import { compileCall } from "./compile-call.ts";
import { compileComprehension } from "./compile-comprehension.ts";
import { compileFunction } from "./compile-function.ts";
import { compileBinary, compileUnary } from "./compile-operator.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation } from "./module-scope.ts";

/** An expression, ready to run. Closures are an order of magnitude faster than walking a tree. */
export type Evaluate = (frame: Frame) => Value;

export function compileExpression(
  compilation: FunctionCompilation,
  expression: Expression,
): Evaluate {
  const { meter } = compilation.module;
  switch (expression.kind) {
    case "paren":
      return compileExpression(compilation, expression.inner);
    case "identifier":
      return compileLookup(compilation, expression);
    case "literal": {
      const value = literalValue(expression);
      return () => value;
    }
    case "list": {
      const items = expression.items.map((item) => compileExpression(compilation, item));
      return (frame) => {
        meter.allocate(objectBytes + items.length * wordBytes);
        return new StarlarkList(items.map((item) => item(frame)));
      };
    }
    case "tuple": {
      const items = expression.items.map((item) => compileExpression(compilation, item));
      return (frame) => {
        meter.allocate(objectBytes + items.length * wordBytes);
        return new StarlarkTuple(items.map((item) => item(frame)));
      };
    }
    case "dict":
      return compileDict(compilation, expression);
    case "conditional": {
      const condition = compileExpression(compilation, expression.condition);
      const whenTrue = compileExpression(compilation, expression.whenTrue);
      const whenFalse = compileExpression(compilation, expression.whenFalse);
      return (frame) => (isTrue(condition(frame)) ? whenTrue(frame) : whenFalse(frame));
    }
    case "index": {
      const operand = compileExpression(compilation, expression.operand);
      const index = compileExpression(compilation, expression.index);
      const { bracket } = expression;
      return (frame) => {
        const container = operand(frame);
        const key = index(frame);
        frame.position = bracket;
        return elementOf(container, key);
      };
    }
    case "slice":
      return compileSlice(compilation, expression);
    case "dot": {
      const operand = compileExpression(compilation, expression.operand);
      const { dot } = expression;
      const { name } = expression.name;
      return (frame) => {
        const owner = operand(frame);
        frame.position = dot;
        return attributeOf(owner, name);
      };
    }
    case "unary":
      return compileUnary(compilation, expression);
    case "binary":
      return compileBinary(compilation, expression);
    case "call":
      return compileCall(compilation, expression);
    case "comprehension":
      return compileComprehension(compilation, expression);
    case "lambda":
      return compileFunction(compilation, expression);
  }
}

function literalValue({ value }: Literal): Value {
  switch (value.kind) {
    case "int":
      return value.int;
    case "float":
      return new StarlarkFloat(value.float);
    case "string":
      return value.bytes;
    case "bytes":
      return new StarlarkBytes(value.bytes);
  }
}

function compileLookup(compilation: FunctionCompilation, identifier: Identifier): Evaluate {
  const { resolution, globals, predeclared, universal } = compilation.module;
  const { position, name } = identifier;
  const binding = resolution.bindings.get(identifier);
  const index = binding?.index ?? -1;
  const unassigned = (frame: Frame, kind: string): never => {
    frame.position = position;
    raise(`${kind} variable ${name} referenced before assignment`);
  };
  const scope = binding?.scope ?? "undefined";
  switch (scope) {
    case "local":
      return (frame) => {
        const value = frame.slots[index] as Value | undefined;
        return value === undefined ? unassigned(frame, "local") : value;
      };
    case "cell":
      return (frame) => {
        const value = (frame.slots[index] as Cell | undefined)?.value;
        return value === undefined ? unassigned(frame, "local") : value;
      };
    case "free":
      return (frame) => {
        const value = frame.freeVariables[index]?.value;
        return value === undefined ? unassigned(frame, "local") : value;
      };
    case "global":
      return (frame) => {
        const value = globals[index];
        return value === undefined ? unassigned(frame, "global") : value;
      };
    case "predeclared":
    case "universal":
    case "undefined": {
      const value = (scope === "predeclared" ? predeclared : universal).get(name);
      if (value === undefined) throw new TypeError(`${name} was not resolved`);
      return () => value;
    }
  }
}

function compileDict(compilation: FunctionCompilation, { entries }: DictExpression): Evaluate {
  const { meter } = compilation.module;
  const parts = entries.map(({ key, colon, value }) => ({
    key: compileExpression(compilation, key),
    colon,
    value: compileExpression(compilation, value),
  }));
  return (frame) => {
    meter.allocate(objectBytes + parts.length * entryBytes);
    const dict = new StarlarkDict();
    for (const { key, colon, value } of parts) {
      const evaluatedKey = key(frame);
      const evaluatedValue = value(frame);
      frame.position = colon;
      const { length } = dict;
      dict.set(evaluatedKey, evaluatedValue);
      if (dict.length === length) raise(`duplicate key: ${show(evaluatedKey)}`);
    }
    return dict;
  };
}

function compileSlice(compilation: FunctionCompilation, expression: SliceExpression): Evaluate {
  const { meter } = compilation.module;
  const part = (inner: Expression | undefined): Evaluate =>
    inner === undefined ? () => null : compileExpression(compilation, inner);
  const operand = compileExpression(compilation, expression.operand);
  const low = part(expression.low);
  const high = part(expression.high);
  const step = part(expression.step);
  return (frame) => {
    const value = operand(frame);
    const from = low(frame);
    const to = high(frame);
    const stride = step(frame);
    frame.position = expression.bracket;
    const slice = sliceOf(value, from, to, stride);
    meter.allocate(objectBytes + (typeof slice === "string" ? slice.length : 0));
    if (slice instanceof StarlarkList || slice instanceof StarlarkTuple) {
      meter.allocate(slice.length * wordBytes);
    }
    return slice;
  };
}
