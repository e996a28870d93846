import type { Meter } from "../limits.ts";
import type { Resolution } from "../syntax/binding.ts";
import type { LambdaExpression, DefStatement } from "../syntax/syntax-tree.ts";
import type { Value } from "../values/value.ts";

/** What the code of one file shares while it is compiled and run. */
export interface ModuleScope {
  readonly meter: Meter;
  readonly resolution: Resolution;
  readonly globals: (Value | undefined)[];
  readonly predeclared: ReadonlyMap<string, Value>;
  readonly universal: ReadonlyMap<string, Value>;
}

/** The function, or the top level, whose code is being compiled. */
export interface FunctionCompilation {
  readonly module: ModuleScope;
  readonly node: DefStatement | LambdaExpression | undefined;
  /** Slots beyond the variables, where comprehensions keep what they build. */
  slotCount: number;
}
