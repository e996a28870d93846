import type { Diagnostic } from "../../diagnostics/index.ts";
import { analyse } from "./analyse.ts";
import { decodeText, encodeText } from "./byte-text.ts";
import { RunFailure } from "./run-failure.ts";
import type { Position } from "./syntax/position.ts";
import {
  type CallExpression,
  type Expression,
  type LoadStatement,
  type SyntaxTree,
  withoutParens,
} from "./syntax/syntax-tree.ts";
import type { Value } from "./values/value.ts";

/** What a file says, as far as that can be read without running it. */
export interface InspectedFile {
  readonly diagnostics: readonly Diagnostic[];
  readonly loads: readonly { readonly module: string; readonly position: Position }[];
  readonly calls: readonly InspectedCall[];
}

export interface InspectedCall {
  /** The name that is called, `os.getcwd` for one of a module. */
  readonly name: string;
  readonly position: Position;
  /** The texts that the first argument is written as: one, or a list of them. */
  readonly texts: readonly string[] | undefined;
}

/** Parses a file and resolves its names. Nothing of it is run. */
export function inspectFile(
  source: { readonly path: string; readonly text: string },
  builtins: Readonly<Record<string, Value>>,
): InspectedFile {
  const predeclared = new Map(
    Object.entries(builtins).map(([name, value]) => [encodeText(name), value]),
  );
  try {
    const { tree } = analyse(source, predeclared, new Map([[source.path, source.text]]));
    const nodes = nodesOf(tree);
    return {
      diagnostics: [],
      loads: nodes
        .filter((node): node is LoadStatement => node.kind === "load")
        .map(({ module, position }) => ({ module: decodeText(module), position })),
      calls: nodes
        .filter((node): node is CallExpression => node.kind === "call")
        .flatMap(inspectCall)
        .sort((left, right) => left.position.line - right.position.line),
    };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return { diagnostics: error.diagnostics, loads: [], calls: [] };
  }
}

interface Node {
  readonly kind: string;
}

/** Every statement and expression, however deep; without recursion, because files can be as deep as they like. */
function nodesOf({ statements }: SyntaxTree): readonly Node[] {
  const found: Node[] = [];
  const left: unknown[] = [statements];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    if ("kind" in next && typeof next.kind === "string") found.push(next as Node);
    for (const value of Object.values(next)) left.push(value);
  }
  return found;
}

function inspectCall({ callee, args, position }: CallExpression): readonly InspectedCall[] {
  const name = nameOf(withoutParens(callee));
  if (name === undefined) return [];
  const [first] = args;
  const texts =
    first === undefined || first.kind === "star" || first.kind === "star-star"
      ? undefined
      : textsOf(withoutParens(first.value));
  return [{ name, position, texts }];
}

function nameOf(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return decodeText(expression.name);
  if (expression.kind !== "dot") return undefined;
  const { operand, name } = expression;
  return operand.kind === "identifier"
    ? `${decodeText(operand.name)}.${decodeText(name.name)}`
    : undefined;
}

function textsOf(expression: Expression): readonly string[] | undefined {
  const items = expression.kind === "list" ? expression.items : [expression];
  const texts = items.map((item) => {
    const literal = withoutParens(item);
    return literal.kind === "literal" && literal.value.kind === "string"
      ? decodeText(literal.value.bytes)
      : undefined;
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
