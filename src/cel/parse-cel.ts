import type { ASTNode } from "@marcbachmann/cel-js";
import { SyntaxProblem } from "./compile-problem.ts";
import type { ComprehensionMacro, CelExpression } from "./expression.ts";
import { findOverloads } from "./library/index.ts";
import { loadParser } from "./load-parser.ts";
import { type MarkedText, markOptionals } from "./mark-optionals.ts";
import { type CelValue, UnsignedInteger } from "./values.ts";

/** Reads an expression and expands its macros; throws a SyntaxProblem where it is not one. */
export function parseCel(text: string): CelExpression {
  const marked = markOptionals(text);
  const expression = convert(parseText(marked.text), marked);
  const [unused] = marked.positions;
  if (unused === undefined) return expression;
  throw new SyntaxProblem(unused, `Syntax error: mismatched input '?' expecting ${beginnings}`);
}

function parseText(text: string): ASTNode {
  try {
    return loadParser()(text).ast;
  } catch (error) {
    throw syntaxProblem(error, text);
  }
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function syntaxProblem(error: unknown, text: string): SyntaxProblem {
  const { code, range, summary } = error as {
    readonly code?: string;
    readonly range?: { readonly start: number };
    readonly summary?: string;
  };
  const position = Math.min(range?.start ?? 0, text.length);
  const token = /^(?:\w+|'[^']*'|"[^"]*"|\S)/.exec(text.slice(position))?.[0] ?? "<EOF>";
  switch (code) {
    case "unexpected_token":
      return new SyntaxProblem(
        position,
        `Syntax error: mismatched input '${token}' expecting ${beginnings}`,
      );
    case "unexpected_character":
      return new SyntaxProblem(
        position,
        `Syntax error: extraneous input '${token}' expecting <EOF>`,
      );
    case "invalid_macro_argument":
      return new SyntaxProblem(position, "argument must be a simple name");
    case "reserved_identifier":
      return new SyntaxProblem(position, `reserved identifier: ${token}`);
    case undefined:
    default:
      return new SyntaxProblem(position, `Syntax error: ${summary ?? "not an expression"}`);
  }
}

function convert(node: ASTNode, source: MarkedText): CelExpression {
  const { text } = source;
  const position = node.start;
  switch (node.op) {
    case "value":
      return { kind: "literal", position, value: literalValue(node.args) };
    case "id":
      return { kind: "identifier", position, name: node.args };
    case ".":
    case ".?":
      return {
        kind: "select",
        position: text.lastIndexOf(".", node.pos),
        operand: convert(node.args[0], source),
        field: node.args[1],
        mode: node.op === "." ? "value" : "optional",
      };
    case "[]":
    case "[?]":
      return {
        kind: "index",
        position: text.indexOf("[", node.args[0].end),
        operand: convert(node.args[0], source),
        index: convert(node.args[1], source),
        mode: node.op === "[]" ? "value" : "optional",
      };
    case "call":
      return convertCall(node, source);
    case "rcall":
      return convertMethod(node, source);
    case "list":
      return convertList(node, source);
    case "map":
      return convertMap(node, source);
    case "?:":
      return {
        kind: "conditional",
        position: text.indexOf("?", node.args[0].end),
        condition: convert(node.args[0], source),
        whenTrue: convert(node.args[1], source),
        whenFalse: convert(node.args[2], source),
      };
    case "||":
    case "&&":
      return {
        kind: "logical",
        position: text.indexOf(node.op, node.args[0].end),
        decisive: node.op === "||",
        left: convert(node.args[0], source),
        right: convert(node.args[1], source),
      };
    case "!_":
    case "-_":
      return operator(node.op, position, [convert(node.args, source)]);
    case "!=":
    case "==":
    case "in":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const [left, right] = node.args;
      const name = node.op === "in" ? "@in" : `_${node.op}_`;
      const at = text.indexOf(node.op, left.end);
      return operator(name, at, [convert(left, source), convert(right, source)]);
    }
  }
}

function convertList(node: ASTNode & { op: "list" }, source: MarkedText): CelExpression {
  const optionals = new Set<CelExpression>();
  const items = node.args.map((item) => {
    const unmarked = takeMark(item, source);
    const converted = convert(unmarked ?? item, source);
    if (unmarked !== undefined) optionals.add(converted);
    return converted;
  });
  return { kind: "list", position: node.start, items, optionals };
}

function convertMap(node: ASTNode & { op: "map" }, source: MarkedText): CelExpression {
  const optionals = new Set<CelExpression>();
  const typeName = source.messages.get(node.start);
  const entries = node.args.map(([key, value]) => {
    const unmarked = takeMark(key, source);
    const converted = convert(value, source);
    if (unmarked !== undefined) optionals.add(converted);
    const name = convert(unmarked ?? key, source);
    return [typeName === undefined ? name : fieldName(name), converted] as const;
  });
  const named = typeName === undefined ? {} : { typeName };
  return { kind: "map", position: node.start, ...named, entries, optionals };
}

/** The fields of objects are written without quotes. */
function fieldName(expression: CelExpression): CelExpression {
  const { position } = expression;
  if (expression.kind === "identifier")
    return { kind: "literal", position, value: expression.name };
  throw new SyntaxProblem(position, "Syntax error: an object has fields with names");
}

/** What follows the mark of an optional item; undefined when there is no mark. */
function takeMark(node: ASTNode, { positions }: MarkedText): ASTNode | undefined {
  return node.op === "!_" && positions.delete(node.start) ? node.args : undefined;
}

function literalValue(value: (ASTNode & { op: "value" })["args"]): CelValue {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array)
    ? new UnsignedInteger(value.value)
    : value;
}

function operator(name: string, position: number, args: readonly CelExpression[]): CelExpression {
  // A minus before a number belongs to the number.
  const [only] = args;
  if (name === "-_" && only?.kind === "literal") {
    if (typeof only.value === "bigint" || typeof only.value === "number") {
      return { kind: "literal", position, value: -only.value };
    }
  }
  return { kind: "call", position, name, args, overloads: findOverloads(name, false, args.length) };
}

function convertCall(node: ASTNode & { op: "call" }, source: MarkedText): CelExpression {
  const { text } = source;
  const [name, args] = node.args;
  const position = text.indexOf("(", node.start);
  const converted = args.map((arg) => convert(arg, source));
  if (name === "has" && converted.length === 1) {
    const [operand] = converted;
    if (operand?.kind === "select" && operand.mode === "value") {
      return { ...operand, position, mode: "presence" };
    }
    throw new SyntaxProblem(operand?.position ?? position, "invalid argument to has() macro");
  }
  return {
    kind: "call",
    position,
    name,
    args: converted,
    overloads: findOverloads(name, false, args.length),
  };
}

function convertMethod(node: ASTNode & { op: "rcall" }, source: MarkedText): CelExpression {
  const { text } = source;
  const [name, receiver, argNodes] = node.args;
  const dot = text.indexOf(".", receiver.end);
  const position = text.indexOf("(", dot);
  const args = argNodes.map((arg) => convert(arg, source));
  const target = convert(receiver, source);
  const macro = expandMacro(name, target, args, position);
  if (macro !== undefined) return macro;
  const qualified = dottedName(target);
  if (qualified !== undefined) {
    const full = `${qualified}.${name}`;
    const overloads = findOverloads(full, false, args.length);
    if (overloads.length > 0) return { kind: "call", position, name: full, args, overloads };
  }
  const overloads = findOverloads(name, true, args.length + 1);
  return { kind: "call", position, name, target, args, overloads };
}

/** Which macros there are, with how many variables and arguments after them. */
const macros: readonly (readonly [string, ComprehensionMacro, number, readonly number[]])[] = [
  ["all", "all", 1, [1]],
  ["all", "all", 2, [1]],
  ["exists", "exists", 1, [1]],
  ["exists", "exists", 2, [1]],
  ["exists_one", "exists_one", 1, [1]],
  ["existsOne", "exists_one", 2, [1]],
  ["map", "map", 1, [1, 2]],
  ["filter", "filter", 1, [1]],
  ["transformList", "transformList", 2, [1, 2]],
  ["transformMap", "transformMap", 2, [1, 2]],
  ["transformMapEntry", "transformMapEntry", 2, [1, 2]],
  ["sortBy", "sortBy", 1, [1]],
];

function expandMacro(
  name: string,
  target: CelExpression,
  args: readonly CelExpression[],
  position: number,
): CelExpression | undefined {
  if ((name === "optMap" || name === "optFlatMap") && args.length === 2) {
    const [variable, body] = args;
    if (variable === undefined || body === undefined) return undefined;
    const isFlat = name === "optFlatMap";
    return { kind: "optional-map", position, target, variable: nameOf(variable), body, isFlat };
  }
  for (const [written, macro, variableCount, bodies] of macros) {
    if (written !== name || !bodies.includes(args.length - variableCount)) continue;
    const [first, second] = args.slice(0, variableCount).map(nameOf);
    if (first === undefined) return undefined;
    const variables = second === undefined ? ([first] as const) : ([first, second] as const);
    const body = args.slice(variableCount);
    return {
      kind: "comprehension",
      position,
      macro,
      range: target,
      variables,
      ...parts(macro, body),
    };
  }
  return undefined;
}

function parts(
  macro: ComprehensionMacro,
  body: readonly CelExpression[],
): { readonly condition?: CelExpression; readonly transform?: CelExpression } {
  const [first, second] = body;
  if (first === undefined) return {};
  if (["all", "exists", "exists_one", "filter"].includes(macro)) return { condition: first };
  return second === undefined ? { transform: first } : { condition: first, transform: second };
}

function nameOf(expression: CelExpression): string {
  if (expression.kind === "identifier") return expression.name;
  throw new SyntaxProblem(expression.position, "argument must be a simple name");
}

/** `a.b` as a name, for functions that have a prefix. */
export function dottedName(expression: CelExpression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.mode !== "value") return undefined;
  const operand = dottedName(expression.operand);
  return operand === undefined ? undefined : `${operand}.${expression.field}`;
}
