import type { Overload } from "./overload.ts";
import type { CelValue } from "./values.ts";

/** A parsed expression. `position` is where a mistake in it is shown, as an offset in the text. */
export type CelExpression =
  | CelLiteral
  | CelIdentifier
  | Select
  | Index
  | CelCall
  | Logical
  | Conditional
  | ListLiteral
  | MapLiteral
  | CelComprehension
  | OptionalMap;

interface Node {
  readonly position: number;
}

export interface CelLiteral extends Node {
  readonly kind: "literal";
  readonly value: CelValue;
}

export interface CelIdentifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: "select";
  readonly operand: CelExpression;
  readonly field: string;
  /** `has(a.b)` asks, `a.?b` gives an optional, `a.b` fails when there is nothing. */
  readonly mode: "value" | "presence" | "optional";
}

export interface Index extends Node {
  readonly kind: "index";
  readonly operand: CelExpression;
  readonly index: CelExpression;
  readonly mode: "value" | "optional";
}

/** Functions, methods and operators; operators have names such as `_+_`. */
export interface CelCall extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly target?: CelExpression;
  readonly args: readonly CelExpression[];
  /** Every overload of the name; the arguments choose. */
  readonly overloads: readonly Overload[];
}

export interface Logical extends Node {
  readonly kind: "logical";
  /** The value that decides alone: false for `&&`, true for `||`. */
  readonly decisive: boolean;
  readonly left: CelExpression;
  readonly right: CelExpression;
}

export interface Conditional extends Node {
  readonly kind: "conditional";
  readonly condition: CelExpression;
  readonly whenTrue: CelExpression;
  readonly whenFalse: CelExpression;
}

export interface ListLiteral extends Node {
  readonly kind: "list";
  readonly items: readonly CelExpression[];
  /** Which items are there only if their optional has a value: `[?a]`. */
  readonly optionals?: ReadonlySet<CelExpression>;
}

export interface MapLiteral extends Node {
  readonly kind: "map";
  /** Of an object of a type: `Object.spec{a: 1}`. */
  readonly typeName?: string;
  readonly entries: readonly (readonly [CelExpression, CelExpression])[];
  /** Which values are there only if their optional has one: `{?k: v}`. */
  readonly optionals?: ReadonlySet<CelExpression>;
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
export interface CelComprehension extends Node {
  readonly kind: "comprehension";
  readonly macro: ComprehensionMacro;
  readonly range: CelExpression;
  /** One is the item or key; two are index and item, or key and value. */
  readonly variables: readonly [string] | readonly [string, string];
  readonly condition?: CelExpression;
  readonly transform?: CelExpression;
}

/** `optMap` and `optFlatMap`. */
export interface OptionalMap extends Node {
  readonly kind: "optional-map";
  readonly target: CelExpression;
  readonly variable: string;
  readonly body: CelExpression;
  readonly isFlat: boolean;
}
