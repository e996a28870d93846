import { objectBytes } from "../operations/size.ts";
import type { Position } from "../syntax/position.ts";
import type { DefStatement, LambdaExpression, Statement } from "../syntax/syntax-tree.ts";
import { mandatory, StarlarkFunction, type Cell, type FunctionCode } from "../values/callable.ts";
import type { Value } from "../values/value.ts";
import { compileExpression, type Evaluate } from "./compile-expression.ts";
import { compileBlock } from "./compile-statement.ts";
import type { Frame } from "./frame.ts";
import type { FunctionCompilation, ModuleScope } from "./module-scope.ts";

/** A `def` or `lambda`: what makes the function value when it is reached. */
export function compileFunction(
  outer: FunctionCompilation,
  node: DefStatement | LambdaExpression,
): Evaluate {
  const { module } = outer;
  const scope = module.resolution.functions.get(node);
  if (scope === undefined) throw new TypeError("the function was not resolved");
  const inner: FunctionCompilation = { module, node, slotCount: scope.locals.length };
  const named = node.parameters.filter(({ name }) => name !== undefined);
  const code: FunctionCode = {
    scope,
    parameterCount: named.length,
    slotCount: () => inner.slotCount,
    cellSlots: scope.locals.filter((local) => local.scope === "cell").map(({ index }) => index),
    run: compileBody(inner, node),
    position: node.position,
  };
  const defaults = compileDefaults(outer, node);
  const captures = scope.freeVariables.map(({ scope: kind, index }) => ({
    isFree: kind === "free",
    index,
  }));
  return (frame) => {
    frame.position = node.position;
    module.meter.allocate(objectBytes);
    const values = defaults.map((evaluate) =>
      evaluate === mandatory ? mandatory : evaluate(frame),
    );
    const cells = captures.map(({ isFree, index }) => {
      const cell = isFree ? frame.freeVariables[index] : frame.slots[index];
      return cell as Cell;
    });
    return new StarlarkFunction(code, values, cells);
  };
}

/** The whole file as one function without parameters. */
export function compileTopLevel(
  module: ModuleScope,
  statements: readonly Statement[],
): { readonly run: (frame: Frame) => void; readonly slotCount: () => number } {
  const slotCount = module.resolution.moduleLocals.length;
  const compilation: FunctionCompilation = { module, node: undefined, slotCount };
  return { run: compileBlock(compilation, statements), slotCount: () => compilation.slotCount };
}

export function startPosition(file: string, statements: readonly Statement[]): Position {
  return statements[0]?.position ?? { file, line: 1, column: 1 };
}

function compileBody(
  compilation: FunctionCompilation,
  node: DefStatement | LambdaExpression,
): (frame: Frame) => Value {
  if (node.kind === "lambda") return compileExpression(compilation, node.body);
  const run = compileBlock(compilation, node.body);
  return (frame) => {
    run(frame);
    return frame.result;
  };
}

/** One entry per optional parameter, and per keyword-only one, which may be mandatory. */
function compileDefaults(
  compilation: FunctionCompilation,
  node: DefStatement | LambdaExpression,
): readonly (Evaluate | typeof mandatory)[] {
  const defaults: (Evaluate | typeof mandatory)[] = [];
  let seenStar = false;
  for (const parameter of node.parameters) {
    if (parameter.kind === "star" || parameter.kind === "star-star") seenStar = true;
    else if (parameter.default !== undefined) {
      defaults.push(compileExpression(compilation, parameter.default));
    } else if (seenStar) defaults.push(mandatory);
  }
  return defaults;
}
