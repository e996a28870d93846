import type { Overload } from "./overload.ts";
import type { CelValue } from "./values.ts";

/** A parsed expression. `position` is where a mistake in it is shown, as an offset in the text. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Index
  | Call
  | Logical
  | Conditional
  | ListLiteral
  | MapLiteral
  | Comprehension
  | OptionalMap;

interface Node {
  readonly position: number;
}

export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: CelValue;
}

export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  /** `has(a.b)` asks, `a.?b` gives an optional, `a.b` fails when there is nothing. */
  readonly mode: "value" | "presence" | "optional";
}

export interface Index extends Node {
  readonly kind: "index";
  readonly operand: Expression;
  readonly index: Expression;
  readonly mode: "value" | "optional";
}

/** Functions, methods and operators; operators have names such as `_+_`. */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
  /** Every overload of the name; the arguments choose. */
  readonly overloads: readonly Overload[];
}

export interface Logical extends Node {
  readonly kind: "logical";
  /** The value that decides alone: false for `&&`, true for `||`. */
  readonly decisive: boolean;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Conditional extends Node {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

export interface ListLiteral extends Node {
  readonly kind: "list";
  readonly items: readonly Expression[];
  /** Which items are there only if their optional has a value: `[?a]`. */
  readonly optionals?: ReadonlySet<Expression>;
}

export interface MapLiteral extends Node {
  readonly kind: "map";
  readonly entries: readonly (readonly [Expression, Expression])[];
  /** Which values are there only if their optional has one: `{?k: v}`. */
  readonly optionals?: ReadonlySet<Expression>;
}

export type ComprehensionMacro =
  | "all"
  | "exists"
  | "exists_one"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry"
  | "sortBy";

/** A macro that looks at every item of a list or map. */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly macro: ComprehensionMacro;
  readonly range: Expression;
  /** One is the item or key; two are index and item, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  readonly condition?: Expression;
  readonly transform?: Expression;
}

/** `optMap` and `optFlatMap`. */
export interface OptionalMap extends Node {
  readonly kind: "optional-map";
  readonly target: Expression;
  readonly variable: string;
  readonly body: Expression;
  readonly isFlat: boolean;
}
