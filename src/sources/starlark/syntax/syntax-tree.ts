import type { ByteText } from "../byte-text.ts";
import type { Position } from "./position.ts";

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "//"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "in"
  | "not in"
  | "and"
  | "or";

export type AugmentedOperator = "+" | "-" | "*" | "/" | "//" | "%" | "&" | "|" | "^" | "<<" | ">>";

export type UnaryOperator = "+" | "-" | "~" | "not";

export interface Identifier {
  readonly kind: "identifier";
  readonly position: Position;
  readonly name: ByteText;
}

export interface Literal {
  readonly kind: "literal";
  readonly position: Position;
  readonly value:
    | { readonly kind: "int"; readonly int: number | bigint }
    | { readonly kind: "float"; readonly float: number }
    | { readonly kind: "string" | "bytes"; readonly bytes: ByteText };
}

export interface ListExpression {
  readonly kind: "list";
  readonly position: Position;
  readonly items: readonly Expression[];
}

export interface TupleExpression {
  readonly kind: "tuple";
  readonly position: Position;
  readonly items: readonly Expression[];
}

export interface ParenExpression {
  readonly kind: "paren";
  readonly position: Position;
  readonly inner: Expression;
}

export interface DictEntry {
  readonly key: Expression;
  readonly colon: Position;
  readonly value: Expression;
}

export interface DictExpression {
  readonly kind: "dict";
  readonly position: Position;
  readonly entries: readonly DictEntry[];
}

export interface ConditionalExpression {
  readonly kind: "conditional";
  readonly position: Position;
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

export interface IndexExpression {
  readonly kind: "index";
  readonly position: Position;
  readonly operand: Expression;
  readonly bracket: Position;
  readonly index: Expression;
}

export interface SliceExpression {
  readonly kind: "slice";
  readonly position: Position;
  readonly operand: Expression;
  readonly bracket: Position;
  readonly low: Expression | undefined;
  readonly high: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface DotExpression {
  readonly kind: "dot";
  readonly position: Position;
  readonly operand: Expression;
  readonly dot: Position;
  readonly name: Identifier;
}

export interface UnaryExpression {
  readonly kind: "unary";
  readonly position: Position;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export interface BinaryExpression {
  readonly kind: "binary";
  readonly position: Position;
  readonly operator: BinaryOperator;
  readonly operatorPosition: Position;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Argument {
  readonly kind: "positional" | "named" | "star" | "star-star";
  readonly position: Position;
  readonly name: Identifier | undefined;
  readonly value: Expression;
}

export interface CallExpression {
  readonly kind: "call";
  readonly position: Position;
  readonly callee: Expression;
  readonly paren: Position;
  readonly args: readonly Argument[];
}

export interface ForClause {
  readonly kind: "for";
  readonly position: Position;
  readonly target: Expression;
  readonly iterable: Expression;
}

export interface IfClause {
  readonly kind: "if";
  readonly position: Position;
  readonly condition: Expression;
}

export interface Comprehension {
  readonly kind: "comprehension";
  readonly position: Position;
  readonly body: Expression | DictEntry;
  readonly first: ForClause;
  readonly rest: readonly (ForClause | IfClause)[];
}

export interface Parameter {
  /** A bare `*` is a star without a name. */
  readonly kind: "plain" | "default" | "star" | "star-star";
  readonly position: Position;
  readonly name: Identifier | undefined;
  readonly default: Expression | undefined;
  /** Where `=` stands, or the position of the parameter. */
  readonly operator: Position;
}

export interface LambdaExpression {
  readonly kind: "lambda";
  readonly position: Position;
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
}

export type Expression =
  | Identifier
  | Literal
  | ListExpression
  | TupleExpression
  | ParenExpression
  | DictExpression
  | ConditionalExpression
  | IndexExpression
  | SliceExpression
  | DotExpression
  | UnaryExpression
  | BinaryExpression
  | CallExpression
  | Comprehension
  | LambdaExpression;

export interface AssignStatement {
  readonly kind: "assign";
  readonly position: Position;
  /** The operator before `=`, if it is an augmented assignment. */
  readonly operator: AugmentedOperator | undefined;
  readonly operatorPosition: Position;
  readonly target: Expression;
  readonly value: Expression;
}

export interface DefStatement {
  readonly kind: "def";
  readonly position: Position;
  readonly name: Identifier;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface LoadStatement {
  readonly kind: "load";
  readonly position: Position;
  readonly module: ByteText;
  readonly names: readonly { readonly from: Identifier; readonly to: Identifier }[];
}

export type Statement =
  | AssignStatement
  | DefStatement
  | LoadStatement
  | { readonly kind: "expression"; readonly position: Position; readonly value: Expression }
  | { readonly kind: "break" | "continue" | "pass"; readonly position: Position }
  | {
      readonly kind: "return";
      readonly position: Position;
      readonly value: Expression | undefined;
    }
  | {
      readonly kind: "if";
      readonly position: Position;
      readonly condition: Expression;
      readonly whenTrue: readonly Statement[];
      readonly whenFalse: readonly Statement[];
    }
  | {
      readonly kind: "for";
      readonly position: Position;
      readonly target: Expression;
      readonly iterable: Expression;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: "while";
      readonly position: Position;
      readonly condition: Expression;
      readonly body: readonly Statement[];
    };

export interface SyntaxTree {
  readonly file: string;
  readonly statements: readonly Statement[];
}

export function withoutParens(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === "paren") inner = inner.inner;
  return inner;
}
