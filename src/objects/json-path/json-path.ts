/** A parsed JSON path template: text between braces, and what the braces hold. */
export interface JsonPath {
  /** The text as it was given, for messages. */
  readonly text: string;
  readonly parts: readonly JsonPathPart[];
}

export type JsonPathPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly steps: JsonPathSteps }
  | {
      readonly kind: "range";
      readonly steps: JsonPathSteps;
      readonly body: readonly JsonPathPart[];
    };

export type JsonPathSteps = readonly JsonPathStep[];

/** One step: each takes the values found so far to the next ones. */
export type JsonPathStep =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "slice"; readonly slice: JsonPathSlice }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "union"; readonly branches: readonly JsonPathSteps[] }
  | { readonly kind: "filter"; readonly filter: JsonPathFilter }
  /** A literal replaces every value by itself. */
  | { readonly kind: "literal"; readonly value: string | number | boolean };

/** `[index]` has only a start and `single`; the other fields are absent where nothing is written. */
export interface JsonPathSlice {
  readonly single: boolean;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly step?: number | undefined;
}

export type JsonPathFilter =
  | { readonly kind: "exists"; readonly left: JsonPathSteps }
  | {
      readonly kind: "compare";
      readonly left: JsonPathSteps;
      readonly operator: JsonPathOperator;
      readonly right: JsonPathSteps;
    };

export const jsonPathOperators = ["==", "!=", "<", "<=", ">", ">="] as const;
export type JsonPathOperator = (typeof jsonPathOperators)[number];
