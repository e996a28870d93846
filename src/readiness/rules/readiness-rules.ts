import type { Program } from "../../cel/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import type { JsonPath } from "../../objects/index.ts";

/** One condition that a definition puts on all its instances. */
export type ReadyWhen =
  /** A field equals a value, compared as text. */
  | { readonly kind: "field"; readonly path: JsonPath; readonly value: string }
  /** An object of another kind belongs to the instance. */
  | { readonly kind: "exists"; readonly apiVersion: string; readonly ownedKind: string }
  /** An expression in CEL is true. */
  | { readonly kind: "expression"; readonly text: string; readonly program: Program };

/** The fields by which a claim says what its output object is to be called, and a binding how it is. */
export interface OutputNameFields {
  /** The field of the claim that holds Random, ContentsHash or Fixed. */
  readonly mode?: readonly string[] | undefined;
  /** The field of the claim that holds the name for Fixed. */
  readonly setter?: readonly string[] | undefined;
  /** The field of the binding that holds the actual name. */
  readonly name?: readonly string[] | undefined;
}

/** Something wrong with the rules of a definition, and the annotation that it is about. */
export interface RuleProblem {
  readonly annotation: string;
  readonly diagnostic: Diagnostic;
}

/** What a definition says of its instances, compiled once. */
export interface ReadinessRules {
  readonly group: string;
  /** The kind of the instances. */
  readonly instanceKind: string;
  /** All of them must hold; none: the instance's Ready condition decides. */
  readonly readyWhen: readonly ReadyWhen[];
  readonly outputNames: OutputNameFields;
  /** Errors keep every instance from ever being ready, and are told of each. */
  readonly problems: readonly RuleProblem[];
}
