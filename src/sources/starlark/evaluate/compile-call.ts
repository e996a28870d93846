import { raise } from "../evaluation-error.ts";
import { attributeOf, methodOf } from "../operations/attribute.ts";
import { collect } from "../operations/iterate.ts";
import { typeName } from "../operations/type-name.ts";
import type { ByteText } from "../byte-text.ts";
import type { Position } from "../syntax/position.ts";
import type { CallExpression, DotExpression, Expression } from "../syntax/syntax-tree.ts";
import { noKeywords, type KeywordArgument } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import type { Value } from "../values/value.ts";
import { compileExpression, type Evaluate } from "./compile-expression.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation } from "./module-scope.ts";

export function compileCall(
  compilation: FunctionCompilation,
  expression: CallExpression,
): Evaluate {
  const { callee, paren } = expression;
  const prepare = compileArguments(compilation, expression);
  if (callee.kind === "dot") return compileMethodCall(compilation, callee, paren, prepare);
  const evaluateCallee = compileExpression(compilation, callee);
  return (frame) => {
    const called = evaluateCallee(frame);
    const args: Value[] = [];
    const keywords = prepare(frame, args);
    frame.position = paren;
    return frame.thread.call(called, args, keywords);
  };
}

/** Methods are called on their value without a bound method in between. */
function compileMethodCall(
  compilation: FunctionCompilation,
  { operand, dot, name: { name } }: DotExpression,
  paren: Position,
  prepare: Prepare,
): Evaluate {
  const evaluateOperand = compileExpression(compilation, operand);
  return (frame) => {
    const receiver = evaluateOperand(frame);
    const method = methodOf(receiver, name);
    if (method === undefined) frame.position = dot;
    const called = method ?? attributeOf(receiver, name);
    const args: Value[] = [];
    const keywords = prepare(frame, args);
    frame.position = paren;
    if (method !== undefined) return frame.thread.callMethod(method, receiver, args, keywords);
    return frame.thread.call(called, args, keywords);
  };
}

/** Evaluates arguments in the order in which they are written; fills in the positional ones. */
type Prepare = (frame: Frame, args: Value[]) => readonly KeywordArgument[];

function compileArguments(
  compilation: FunctionCompilation,
  { args, paren }: CallExpression,
): Prepare {
  const parts = args
    .filter(({ kind }) => kind === "positional" || kind === "named")
    .map(({ name, value }) => ({
      name: name?.name,
      evaluate: compileExpression(compilation, value),
    }));
  const spread = (kind: "star" | "star-star"): Evaluate | undefined => {
    const value: Expression | undefined = args.find((argument) => argument.kind === kind)?.value;
    return value === undefined ? undefined : compileExpression(compilation, value);
  };
  const star = spread("star");
  const starStar = spread("star-star");
  if (
    star === undefined &&
    starStar === undefined &&
    parts.every(({ name }) => name === undefined)
  ) {
    return compilePositional(parts.map(({ evaluate }) => evaluate));
  }
  const { meter } = compilation.module;
  return (frame, positional) => {
    const keywords: KeywordArgument[] = [];
    for (const { name, evaluate } of parts) {
      const value = evaluate(frame);
      if (name === undefined) positional.push(value);
      else keywords.push({ name, value });
    }
    const extra = star?.(frame);
    const named = starStar?.(frame);
    frame.position = paren;
    if (named !== undefined) addKeywords(keywords, named);
    if (extra !== undefined) {
      const items = collect(meter, extra);
      if (items === undefined) raise(`argument after * must be iterable, not ${typeName(extra)}`);
      for (const item of items) positional.push(item);
    }
    return keywords;
  };
}

function compilePositional(parts: readonly Evaluate[]): Prepare {
  const [first, second] = parts;
  if (first === undefined) return () => noKeywords;
  if (second === undefined) {
    return (frame, args) => {
      args.push(first(frame));
      return noKeywords;
    };
  }
  return (frame, args) => {
    for (const part of parts) args.push(part(frame));
    return noKeywords;
  };
}

function addKeywords(keywords: KeywordArgument[], named: Value): void {
  if (!(named instanceof StarlarkDict)) {
    raise(`argument after ** must be a mapping, not ${typeName(named)}`);
  }
  for (const [name] of named.entries()) {
    if (typeof name !== "string") raise(`keywords must be strings, not ${typeName(name)}`);
  }
  for (const [name, value] of named.entries()) keywords.push({ name: name as ByteText, value });
}
