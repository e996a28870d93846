import type { Position } from "./position.ts";
import type {
  Argument,
  BinaryOperator,
  Comprehension,
  DictEntry,
  Expression,
  ForClause,
  IfClause,
  Literal,
  Parameter,
} from "./syntax-tree.ts";
import type { TokenReader } from "./token-reader.ts";
import { showToken, type TokenKind } from "./token.ts";

/** One or more expressions; several make a tuple. */
export function parseExpression(reader: TokenReader, inParens: boolean): Expression {
  const first = parseTest(reader);
  if (!reader.is(",")) return first;
  return {
    kind: "tuple",
    position: first.position,
    items: parseItems(reader, first, inParens),
  };
}

function parseItems(
  reader: TokenReader,
  first: Expression,
  allowsTrailingComma: boolean,
): readonly Expression[] {
  const items = [first];
  while (reader.is(",")) {
    const comma = reader.next();
    if (endsItems(reader)) {
      if (!allowsTrailingComma) {
        reader.fail("unparenthesized tuple with trailing comma", comma);
      }
      break;
    }
    items.push(parseTest(reader));
  }
  return items;
}

function endsItems(reader: TokenReader): boolean {
  return reader.is("end of file", "newline", "=", "}", "]", ")", ";");
}

/** The variables of a loop: primary expressions, as `in` would otherwise be an operator. */
export function parseLoopTarget(reader: TokenReader): Expression {
  const first = parsePrimaryWithSuffix(reader);
  if (!reader.is(",")) return first;
  const items = [first];
  while (reader.is(",")) {
    reader.next();
    if (endsItems(reader)) break;
    items.push(parsePrimaryWithSuffix(reader));
  }
  return { kind: "tuple", position: first.position, items };
}

/** An expression without commas: a lambda, a conditional or an operation. */
export function parseTest(reader: TokenReader): Expression {
  return reader.nested(() => {
    if (reader.is("lambda")) return parseLambda(reader, true);
    const whenTrue = parseOperation(reader, 0);
    if (!reader.is("if")) return whenTrue;
    const ifPosition = reader.next();
    const condition = parseOperation(reader, 0);
    if (!reader.is("else")) {
      reader.fail("conditional expression without else clause", ifPosition);
    }
    reader.next();
    const whenFalse = parseTest(reader);
    return { kind: "conditional", position: whenTrue.position, condition, whenTrue, whenFalse };
  });
}

function parseTestWithoutConditional(reader: TokenReader): Expression {
  return reader.is("lambda") ? parseLambda(reader, false) : parseOperation(reader, 0);
}

function parseLambda(reader: TokenReader, allowsConditional: boolean): Expression {
  return reader.nested(() => {
    const position = reader.next();
    const parameters = reader.is(":") ? [] : parseParameters(reader);
    reader.consume(":");
    const body = allowsConditional ? parseTest(reader) : parseTestWithoutConditional(reader);
    return { kind: "lambda", position, parameters, body };
  });
}

export function parseParameters(reader: TokenReader): readonly Parameter[] {
  const parameters: Parameter[] = [];
  while (!reader.is(")", ":", "end of file")) {
    if (parameters.length > 0) reader.consume(",");
    if (reader.is(")")) break;
    parameters.push(parseParameter(reader));
  }
  return parameters;
}

function parseParameter(reader: TokenReader): Parameter {
  if (reader.is("*", "**")) {
    const kind = reader.is("*") ? "star" : "star-star";
    const position = reader.next();
    const hasName = kind === "star-star" || reader.is("identifier");
    const name = hasName ? reader.identifier() : undefined;
    return { kind, position, name, default: undefined, operator: position };
  }
  const name = reader.identifier();
  const { position } = name;
  if (!reader.is("="))
    return { kind: "plain", position, name, default: undefined, operator: position };
  const operator = reader.next();
  return { kind: "default", position, name, default: parseTest(reader), operator };
}

const levels: readonly (readonly TokenKind[])[] = [
  ["or"],
  ["and"],
  ["not"],
  ["==", "!=", "<", ">", "<=", ">=", "in", "not in"],
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["-", "+"],
  ["*", "%", "/", "//"],
];
const negationLevel = 2;
const comparisonLevel = 3;
const levelOf: ReadonlyMap<string, number> = new Map(
  levels.flatMap((kinds, level) => kinds.map((kind) => [kind, level] as const)),
);

function parseOperation(reader: TokenReader, level: number): Expression {
  return reader.nested(() => {
    if (level >= levels.length) return parsePrimaryWithSuffix(reader);
    if (level === negationLevel && reader.is("not")) {
      const position = reader.next();
      const operand = parseOperation(reader, level);
      return { kind: "unary", position, operator: "not", operand };
    }
    return parseBinary(reader, level);
  });
}

function parseBinary(reader: TokenReader, level: number): Expression {
  let left = parseOperation(reader, level + 1);
  for (let previous: string | undefined; ;) {
    if (reader.is("not")) reader.joinNotIn();
    const operatorLevel = levelOf.get(reader.kind) ?? -1;
    if (operatorLevel < level) return left;
    if (previous !== undefined && operatorLevel === comparisonLevel) {
      reader.fail(`${previous} does not associate with ${reader.kind} (use parens)`);
    }
    const operator = reader.kind as BinaryOperator;
    const operatorPosition = reader.next();
    const right = parseOperation(reader, operatorLevel + 1);
    left = { kind: "binary", position: left.position, operator, operatorPosition, left, right };
    previous = operator;
  }
}

function parsePrimaryWithSuffix(reader: TokenReader): Expression {
  let operand = parsePrimary(reader);
  for (;;) {
    const { position } = operand;
    if (reader.is(".")) {
      const dot = reader.next();
      operand = { kind: "dot", position, operand, dot, name: reader.identifier() };
    } else if (reader.is("[")) operand = parseIndexOrSlice(reader, operand);
    else if (reader.is("(")) {
      const paren = reader.next();
      const args = parseArguments(reader);
      reader.consume(")");
      operand = { kind: "call", position, callee: operand, paren, args };
    } else return operand;
  }
}

function parseIndexOrSlice(reader: TokenReader, operand: Expression): Expression {
  const { position } = operand;
  const bracket = reader.next();
  let low: Expression | undefined;
  let high: Expression | undefined;
  let step: Expression | undefined;
  if (!reader.is(":")) {
    low = parseExpression(reader, false);
    if (reader.is("]")) {
      reader.next();
      return { kind: "index", position, operand, bracket, index: low };
    }
  }
  if (reader.is(":")) {
    reader.next();
    if (!reader.is(":", "]")) high = parseTest(reader);
  }
  if (reader.is(":")) {
    reader.next();
    if (!reader.is("]")) step = parseTest(reader);
  }
  reader.consume("]");
  return { kind: "slice", position, operand, bracket, low, high, step };
}

function parseArguments(reader: TokenReader): readonly Argument[] {
  const args: Argument[] = [];
  while (!reader.is(")", "end of file")) {
    if (args.length > 0) reader.consume(",");
    if (reader.is(")")) break;
    args.push(parseArgument(reader));
  }
  return args;
}

function parseArgument(reader: TokenReader): Argument {
  if (reader.is("*", "**")) {
    const kind = reader.is("*") ? "star" : "star-star";
    return { kind, position: reader.next(), name: undefined, value: parseTest(reader) };
  }
  const value = parseTest(reader);
  const { position } = value;
  if (!reader.is("=")) return { kind: "positional", position, name: undefined, value };
  if (value.kind !== "identifier") reader.fail("keyword argument must have form name=expr");
  reader.next();
  return { kind: "named", position, name: value, value: parseTest(reader) };
}

function parsePrimary(reader: TokenReader): Expression {
  return reader.nested(() => {
    const { kind } = reader;
    if (kind === "identifier") return reader.identifier();
    if (kind === "[") return parseList(reader);
    if (kind === "{") return parseDict(reader);
    if (kind === "(") return parseParens(reader);
    if (kind === "-" || kind === "+" || kind === "~") {
      const position = reader.next();
      const operand = parsePrimaryWithSuffix(reader);
      return { kind: "unary", position, operator: kind, operand };
    }
    const literal = literalValue(reader);
    if (literal === undefined) {
      reader.fail(`got ${showToken(kind)}, want primary expression`, reader.token.position);
    }
    return { kind: "literal", position: reader.next(), value: literal };
  });
}

function literalValue(reader: TokenReader): Literal["value"] | undefined {
  const { kind, int, float, text: bytes } = reader.token;
  if (int !== undefined) return { kind: "int", int };
  if (float !== undefined) return { kind: "float", float };
  if (kind === "string literal") return { kind: "string", bytes };
  return kind === "bytes literal" ? { kind: "bytes", bytes } : undefined;
}

function parseParens(reader: TokenReader): Expression {
  const position = reader.next();
  if (reader.is(")")) {
    reader.next();
    return { kind: "tuple", position, items: [] };
  }
  const inner = parseExpression(reader, true);
  reader.consume(")");
  return { kind: "paren", position, inner };
}

function parseList(reader: TokenReader): Expression {
  const position = reader.next();
  if (reader.is("]")) {
    reader.next();
    return { kind: "list", position, items: [] };
  }
  const first = parseTest(reader);
  if (reader.is("for")) return parseComprehension(reader, position, first, "]");
  const items = parseItems(reader, first, true);
  reader.consume("]");
  return { kind: "list", position, items };
}

function parseDict(reader: TokenReader): Expression {
  const position = reader.next();
  const entries: DictEntry[] = [];
  while (!reader.is("}")) {
    entries.push(parseEntry(reader));
    const [first] = entries;
    if (reader.is("for") && entries.length === 1 && first !== undefined) {
      return parseComprehension(reader, position, first, "}");
    }
    if (!reader.is(",")) break;
    reader.next();
  }
  reader.consume("}");
  return { kind: "dict", position, entries };
}

function parseEntry(reader: TokenReader): DictEntry {
  const key = parseTest(reader);
  const colon = reader.consume(":");
  return { key, colon, value: parseTest(reader) };
}

function parseComprehension(
  reader: TokenReader,
  position: Position,
  body: Comprehension["body"],
  end: "]" | "}",
): Comprehension {
  const first = parseForClause(reader);
  const rest: (ForClause | IfClause)[] = [];
  while (!reader.is(end)) {
    if (reader.is("for")) rest.push(parseForClause(reader));
    else if (reader.is("if")) {
      const ifPosition = reader.next();
      const condition = parseTestWithoutConditional(reader);
      rest.push({ kind: "if", position: ifPosition, condition });
    } else reader.fail(`got ${showToken(reader.kind)}, want '${end}', for, or if`);
  }
  reader.next();
  return { kind: "comprehension", position, body, first, rest };
}

function parseForClause(reader: TokenReader): ForClause {
  const position = reader.next();
  const target = parseLoopTarget(reader);
  reader.consume("in");
  return { kind: "for", position, target, iterable: parseOperation(reader, 0) };
}
