import { decodeText } from "../byte-text.ts";
import type { Position } from "./position.ts";
import { resolveExpression, resolveFunction, resolveTarget } from "./resolve-expression.ts";
import type { Resolver } from "./resolve-file.ts";
import type { LoadStatement, Statement } from "./syntax-tree.ts";

export function resolveStatements(resolver: Resolver, statements: readonly Statement[]): void {
  for (const statement of statements) resolveStatement(resolver, statement);
}

function resolveStatement(resolver: Resolver, statement: Statement): void {
  switch (statement.kind) {
    case "expression":
      resolveExpression(resolver, statement.value);
      break;
    case "pass":
      break;
    case "break":
    case "continue":
      if (resolver.loopDepth === 0) {
        resolver.report(statement.position, `${statement.kind} not in a loop`);
      }
      break;
    case "if":
      resolveExpression(resolver, statement.condition);
      resolver.branchDepth++;
      resolveStatements(resolver, statement.whenTrue);
      resolveStatements(resolver, statement.whenFalse);
      resolver.branchDepth--;
      break;
    case "assign":
      resolveExpression(resolver, statement.value);
      resolveTarget(resolver, statement.target, statement.operator !== undefined);
      break;
    case "def":
      resolver.bind(statement.name);
      resolveFunction(resolver, statement);
      break;
    case "for":
      resolveExpression(resolver, statement.iterable);
      resolveTarget(resolver, statement.target, false);
      resolveLoop(resolver, statement.body);
      break;
    case "while":
      resolveExpression(resolver, statement.condition);
      resolveLoop(resolver, statement.body);
      break;
    case "return":
      if (!resolver.isInFunction) {
        resolver.report(statement.position, "return statement not within a function");
      }
      if (statement.value !== undefined) resolveExpression(resolver, statement.value);
      break;
    case "load":
      resolveLoad(resolver, statement);
      break;
  }
}

function resolveLoop(resolver: Resolver, body: readonly Statement[]): void {
  resolver.loopDepth++;
  resolveStatements(resolver, body);
  resolver.loopDepth--;
}

function resolveLoad(resolver: Resolver, { position, names }: LoadStatement): void {
  const place = loadPlace(resolver);
  if (place !== undefined) resolver.report(position, `load statement within a ${place}`);
  for (const { from, to } of names) {
    const problem = loadedNameProblem(from.name);
    if (problem !== undefined) resolver.report(from.position satisfies Position, problem);
    if (from.name !== "") resolver.bindLocal(to);
  }
}

function loadPlace(resolver: Resolver): string | undefined {
  if (resolver.isInFunction) return "function";
  if (resolver.loopDepth > 0) return "loop";
  return resolver.branchDepth > 0 ? "conditional" : undefined;
}

function loadedNameProblem(name: string): string | undefined {
  if (name === "") return "load: empty identifier";
  if (!name.startsWith("_")) return undefined;
  return `load: names with leading underscores are not exported: ${decodeText(name)}`;
}
