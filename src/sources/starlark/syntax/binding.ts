import type { ByteText } from "../byte-text.ts";
import type { Position } from "./position.ts";
import type { Identifier, LambdaExpression, DefStatement } from "./syntax-tree.ts";

export type Scope =
  /** A variable of the function at hand; `cell` when an inner function uses it too. */
  | "local"
  | "cell"
  /** A variable of an enclosing function. */
  | "free"
  | "global"
  /** What the host provides for this run, and what every program has. */
  | "predeclared"
  | "universal"
  | "undefined";

/** What a name stands for. The scope of a local changes to `cell` while a file is resolved. */
export interface Binding {
  scope: Scope;
  readonly index: number;
  readonly name: ByteText;
}

/** The variables of one function, in the order of their slots: parameters come first. */
export interface FunctionScope {
  readonly name: string;
  readonly position: Position;
  readonly locals: Binding[];
  /** Bindings of the enclosing function that its closure carries. */
  readonly freeVariables: Binding[];
  keywordOnlyCount: number;
  hasVarargs: boolean;
  hasKwargs: boolean;
}

export interface Resolution {
  readonly bindings: ReadonlyMap<Identifier, Binding>;
  readonly functions: ReadonlyMap<DefStatement | LambdaExpression, FunctionScope>;
  readonly moduleLocals: readonly Binding[];
  readonly moduleGlobals: readonly Binding[];
}
