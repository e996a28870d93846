import { decodeText } from "../byte-text.ts";
import {
  parseExpression,
  parseLoopTarget,
  parseParameters,
  parseTest,
} from "./parse-expression.ts";
import type { AssignStatement, Identifier, LoadStatement, Statement } from "./syntax-tree.ts";
import type { TokenReader } from "./token-reader.ts";
import { showToken } from "./token.ts";

export function parseStatements(reader: TokenReader): readonly Statement[] {
  const statements: Statement[] = [];
  while (!reader.is("end of file")) {
    if (reader.is("newline")) reader.next();
    else parseStatement(reader, statements);
  }
  return statements;
}

function parseStatement(reader: TokenReader, into: Statement[]): void {
  if (reader.is("def")) into.push(parseDef(reader));
  else if (reader.is("if")) into.push(parseIf(reader));
  else if (reader.is("for")) into.push(parseFor(reader));
  else if (reader.is("while")) into.push(parseWhile(reader));
  else parseSimple(reader, into);
}

function parseDef(reader: TokenReader): Statement {
  const position = reader.next();
  const name = reader.identifier();
  reader.consume("(");
  const parameters = parseParameters(reader);
  reader.consume(")");
  reader.consume(":");
  return { kind: "def", position, name, parameters, body: parseSuite(reader) };
}

/** A chain of `elif` nests; it is read as a list and folded from its end. */
function parseIf(reader: TokenReader): Statement {
  const branches: Omit<Extract<Statement, { kind: "if" }>, "whenFalse">[] = [];
  let otherwise: readonly Statement[] = [];
  do {
    const position = reader.next();
    const condition = parseTest(reader);
    reader.consume(":");
    branches.push({ kind: "if", position, condition, whenTrue: parseSuite(reader) });
  } while (reader.is("elif"));
  if (reader.is("else")) {
    reader.next();
    reader.consume(":");
    otherwise = parseSuite(reader);
  }
  for (const branch of branches.toReversed()) otherwise = [{ ...branch, whenFalse: otherwise }];
  return otherwise[0] ?? reader.fail("empty if statement");
}

function parseFor(reader: TokenReader): Statement {
  const position = reader.next();
  const target = parseLoopTarget(reader);
  reader.consume("in");
  const iterable = parseExpression(reader, false);
  reader.consume(":");
  return { kind: "for", position, target, iterable, body: parseSuite(reader) };
}

function parseWhile(reader: TokenReader): Statement {
  const position = reader.next();
  const condition = parseTest(reader);
  reader.consume(":");
  return { kind: "while", position, condition, body: parseSuite(reader) };
}

function parseSuite(reader: TokenReader): readonly Statement[] {
  return reader.nested(() => {
    const statements: Statement[] = [];
    if (!reader.is("newline")) {
      parseSimple(reader, statements);
      return statements;
    }
    reader.next();
    reader.consume("indent");
    while (!reader.is("outdent", "end of file")) parseStatement(reader, statements);
    reader.consume("outdent");
    return statements;
  });
}

function parseSimple(reader: TokenReader, into: Statement[]): void {
  for (;;) {
    into.push(parseSmall(reader));
    if (!reader.is(";")) break;
    reader.next();
    if (reader.is("newline", "end of file")) break;
  }
  if (!reader.is("end of file")) reader.consume("newline");
}

function parseSmall(reader: TokenReader): Statement {
  const { kind } = reader;
  if (kind === "return") {
    const position = reader.next();
    const isBare = reader.is("end of file", "newline", ";");
    return { kind, position, value: isBare ? undefined : parseExpression(reader, false) };
  }
  if (kind === "break" || kind === "continue" || kind === "pass") {
    return { kind, position: reader.next() };
  }
  if (kind === "load") return parseLoad(reader);
  const target = parseExpression(reader, false);
  const { position } = target;
  if (!isAssignment(reader.kind)) return { kind: "expression", position, value: target };
  const operator = reader.kind === "=" ? undefined : reader.kind.slice(0, -1);
  const operatorPosition = reader.next();
  const value = parseExpression(reader, false);
  return {
    kind: "assign",
    position,
    operator: operator as AssignStatement["operator"],
    operatorPosition,
    target,
    value,
  };
}

const assignments: ReadonlySet<string> = new Set([
  "=",
  "+=",
  "-=",
  "*=",
  "/=",
  "//=",
  "%=",
  "&=",
  "|=",
  "^=",
  "<<=",
  ">>=",
]);

function isAssignment(kind: string): boolean {
  return assignments.has(kind);
}

function parseLoad(reader: TokenReader): LoadStatement {
  const position = reader.next();
  const paren = reader.consume("(");
  if (!reader.is("string literal")) {
    reader.fail("first operand of load statement must be a string literal");
  }
  const { text: module } = reader.token;
  reader.next();
  const names: LoadStatement["names"][number][] = [];
  while (!reader.is(")", "end of file")) {
    reader.consume(",");
    if (reader.is(")")) break;
    names.push(parseLoadedName(reader));
  }
  reader.consume(")");
  if (names.length === 0) reader.fail("load statement must import at least 1 symbol", paren);
  return { kind: "load", position, module, names };
}

function parseLoadedName(reader: TokenReader): {
  readonly from: Identifier;
  readonly to: Identifier;
} {
  if (reader.is("string literal")) {
    const name = quotedName(reader);
    return { from: name, to: name };
  }
  if (!reader.is("identifier")) {
    reader.fail(`load operand must be "name" or localname="name" (got ${showToken(reader.kind)})`);
  }
  const to = reader.identifier();
  const shown = decodeText(to.name);
  if (!reader.is("=")) {
    reader.fail(
      `load operand must be "${shown}" or ${shown}="originalname" (want '=' after ${shown})`,
    );
  }
  reader.next();
  if (!reader.is("string literal")) {
    reader.fail(`original name of loaded symbol must be quoted: ${shown}="originalname"`);
  }
  return { from: quotedName(reader), to };
}

/** The name itself starts behind the quote. */
function quotedName(reader: TokenReader): Identifier {
  const { text: name } = reader.token;
  const { file, line, column } = reader.next();
  return { kind: "identifier", position: { file, line, column: column + 1 }, name };
}
