import { decodeText } from "../byte-text.ts";
import type { FunctionScope } from "./binding.ts";
import type { Position } from "./position.ts";
import type { Resolver } from "./resolve-file.ts";
import { resolveStatements } from "./resolve-statement.ts";
import {
  withoutParens,
  type Argument,
  type CallExpression,
  type Comprehension,
  type DefStatement,
  type Expression,
  type LambdaExpression,
  type Parameter,
} from "./syntax-tree.ts";

const mostArguments = 255;

export function resolveExpression(resolver: Resolver, expression: Expression): void {
  const visit = (inner: Expression | undefined): void => {
    if (inner !== undefined) resolveExpression(resolver, inner);
  };
  switch (expression.kind) {
    case "identifier":
      resolver.use(expression);
      break;
    case "literal":
      break;
    case "list":
    case "tuple":
      expression.items.forEach(visit);
      break;
    case "paren":
      visit(expression.inner);
      break;
    case "dict":
      for (const { key, value } of expression.entries) {
        visit(key);
        visit(value);
      }
      break;
    case "conditional":
      visit(expression.condition);
      visit(expression.whenTrue);
      visit(expression.whenFalse);
      break;
    case "index":
      visit(expression.operand);
      visit(expression.index);
      break;
    case "slice":
      visit(expression.operand);
      visit(expression.low);
      visit(expression.high);
      visit(expression.step);
      break;
    case "dot":
    case "unary":
      visit(expression.operand);
      break;
    case "binary":
      visit(expression.left);
      visit(expression.right);
      break;
    case "call":
      resolveCall(resolver, expression);
      break;
    case "comprehension":
      resolveComprehension(resolver, expression);
      break;
    case "lambda":
      resolveFunction(resolver, expression);
      break;
  }
}

/** The left side of an assignment, or the variables of a loop. */
export function resolveTarget(resolver: Resolver, target: Expression, isAugmented: boolean): void {
  const place = withoutParens(target);
  if (place.kind === "identifier") resolver.bind(place);
  else if (place.kind === "index" || place.kind === "dot") {
    resolveExpression(resolver, place.operand);
    if (place.kind === "index") resolveExpression(resolver, place.index);
  } else if (place.kind === "tuple" || place.kind === "list") {
    if (isAugmented) {
      const message = `can't use ${place.kind} expression in augmented assignment`;
      resolver.report(place.position, message);
    }
    for (const item of place.items) resolveTarget(resolver, item, isAugmented);
  } else if (place.kind !== "paren") {
    resolver.report(place.position, `can't assign to ${targetNames[place.kind]}`);
  }
}

const targetNames = {
  literal: "literal",
  dict: "dictexpr",
  conditional: "condexpr",
  slice: "sliceexpr",
  unary: "unaryexpr",
  binary: "binaryexpr",
  call: "callexpr",
  comprehension: "comprehension",
  lambda: "lambdaexpr",
} as const;

function resolveCall(resolver: Resolver, { callee, args, position }: CallExpression): void {
  resolveExpression(resolver, callee);
  const seen = { star: false, starStar: false, names: new Set<string>() };
  for (const argument of args) {
    const problem = misplacedArgument(argument, seen);
    if (problem !== undefined) resolver.report(argument.position, problem);
    if (argument.kind === "star") seen.star = true;
    if (argument.kind === "star-star") seen.starStar = true;
    if (argument.name !== undefined) {
      const name = decodeText(argument.name.name);
      if (seen.names.has(name)) {
        resolver.report(argument.name.position, `keyword argument "${name}" is repeated`);
      }
      seen.names.add(name);
    }
    resolveExpression(resolver, argument.value);
  }
  for (const [kind, label] of [
    ["positional", "positional"],
    ["named", "keyword"],
  ] as const) {
    const count = args.filter((argument) => argument.kind === kind).length;
    if (count <= mostArguments) continue;
    resolver.report(position, `${count} ${label} arguments in call, limit is ${mostArguments}`);
  }
}

interface SeenArguments {
  readonly star: boolean;
  readonly starStar: boolean;
  readonly names: ReadonlySet<string>;
}

function misplacedArgument({ kind }: Argument, seen: SeenArguments): string | undefined {
  switch (kind) {
    case "star-star":
      return seen.starStar ? "multiple **kwargs not allowed" : undefined;
    case "star":
      if (seen.starStar) return "*args may not follow **kwargs";
      return seen.star ? "multiple *args not allowed" : undefined;
    case "named":
      if (seen.starStar) return "keyword argument may not follow **kwargs";
      return seen.star ? "keyword argument may not follow *args" : undefined;
    case "positional":
      if (seen.star) return "positional argument may not follow *args";
      if (seen.starStar) return "positional argument may not follow **kwargs";
      return seen.names.size > 0 ? "positional argument may not follow named" : undefined;
  }
}

/** The first iterable belongs to the enclosing block, all else to that of the comprehension. */
function resolveComprehension(resolver: Resolver, { first, rest, body }: Comprehension): void {
  resolveExpression(resolver, first.iterable);
  resolver.within(undefined, () => {
    resolveTarget(resolver, first.target, false);
    for (const clause of rest) {
      if (clause.kind === "if") resolveExpression(resolver, clause.condition);
      else {
        resolveTarget(resolver, clause.target, false);
        resolveExpression(resolver, clause.iterable);
      }
    }
    if ("key" in body) {
      resolveExpression(resolver, body.key);
      resolveExpression(resolver, body.value);
    } else resolveExpression(resolver, body);
  });
}

export function resolveFunction(resolver: Resolver, node: DefStatement | LambdaExpression): void {
  for (const { default: value } of node.parameters) {
    if (value !== undefined) resolveExpression(resolver, value);
  }
  const scope: FunctionScope = {
    name: node.kind === "lambda" ? "lambda" : decodeText(node.name.name),
    position: node.position,
    locals: [],
    freeVariables: [],
    keywordOnlyCount: 0,
    hasVarargs: false,
    hasKwargs: false,
  };
  resolver.functions.set(node, scope);
  resolver.within(scope, () => {
    resolveParameters(resolver, node.parameters, scope);
    if (node.kind === "lambda") resolveExpression(resolver, node.body);
    else resolveStatements(resolver, node.body);
  });
}

/** Slots: plain parameters first, then `*args`, then `**kwargs`, wherever they are written. */
function resolveParameters(
  resolver: Resolver,
  parameters: readonly Parameter[],
  scope: FunctionScope,
): void {
  let star: Parameter | undefined;
  let starStar: Parameter | undefined;
  let seenOptional = false;
  for (const parameter of parameters) {
    const problem = misplacedParameter(parameter, star, starStar, seenOptional);
    if (problem !== undefined) resolver.report(parameter.operator, problem);
    if (parameter.kind === "star") star ??= parameter;
    else if (parameter.kind === "star-star") starStar = parameter;
    else {
      if (star !== undefined && starStar === undefined) scope.keywordOnlyCount++;
      seenOptional ||= parameter.kind === "default";
      bindParameter(resolver, parameter, parameter.operator);
    }
  }
  if (star?.name !== undefined) {
    bindParameter(resolver, star, star.name.position);
    scope.hasVarargs = true;
  } else if (star !== undefined && scope.keywordOnlyCount === 0) {
    resolver.report(star.position, "bare * must be followed by keyword-only parameters");
  }
  if (starStar?.name !== undefined) {
    bindParameter(resolver, starStar, starStar.name.position);
    scope.hasKwargs = true;
  }
}

function bindParameter(resolver: Resolver, { name }: Parameter, place: Position): void {
  if (name === undefined || !resolver.bind(name)) return;
  resolver.report(place, `duplicate parameter: ${decodeText(name.name)}`);
}

function misplacedParameter(
  { kind }: Parameter,
  star: Parameter | undefined,
  starStar: Parameter | undefined,
  seenOptional: boolean,
): string | undefined {
  if (starStar !== undefined) {
    if (kind === "star-star") return "multiple ** parameters not allowed";
    const label = {
      plain: "required parameter",
      default: "optional parameter",
      star: "* parameter",
    };
    return `${label[kind]} may not follow **${decodeText(starStar.name?.name ?? "")}`;
  }
  if (kind === "star" && star !== undefined) return "multiple * parameters not allowed";
  const isLateRequired = kind === "plain" && star === undefined && seenOptional;
  return isLateRequired ? "required parameter may not follow optional" : undefined;
}
