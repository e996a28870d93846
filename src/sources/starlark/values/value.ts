import type { ByteText } from "../byte-text.ts";
import { EvaluationError } from "../evaluation-error.ts";
import type { BinaryOperator, UnaryOperator } from "../syntax/syntax-tree.ts";

/**
 * A Starlark value. None is null; an int is a number while that is exact and a bigint beyond;
 * a string is the text of its bytes; everything else, floats too, is an object.
 */
export type Value = null | boolean | number | bigint | ByteText | StarlarkObject;

/** What a dict or set finds a key by: equal values, and only they, have the same. */
export type HashKey = null | boolean | number | bigint | string | object;

export type ComparisonOperator = Extract<BinaryOperator, "==" | "!=" | "<" | ">" | "<=" | ">=">;

/** Gives the elements of a value one by one; undefined ends them. `done` is always called. */
export interface ElementIterator {
  next(): Value | undefined;
  done(): void;
}

/**
 * The behaviour of a value that is no primitive. What a type does not override it cannot do: an
 * undefined result means "not supported", and the operation reports it with the type's name.
 */
export abstract class StarlarkObject {
  abstract readonly typeName: string;

  /** The value as a program would write it, in bytes. `path` holds the containers around it. */
  abstract show(path: readonly StarlarkObject[]): string;

  get isTruthy(): boolean {
    return true;
  }

  /** Equal keys for equal values; types that can change are not hashable. */
  hashKey(): HashKey {
    throw new EvaluationError(`unhashable type: ${this.typeName}`);
  }

  /** Marks the value as unchangeable and returns what it holds, to be frozen in turn. */
  freeze(): Iterable<Value> {
    return [];
  }

  /** The values inside, for the estimate of memory in use. */
  contents(): Iterable<Value> {
    return [];
  }

  iterate(): ElementIterator | undefined {
    return undefined;
  }

  /** The number of elements, or -1 where there is none. */
  get length(): number {
    return -1;
  }

  /** The element at an index from 0 to the length; only called on indexable values. */
  elementAt(_index: number): Value | undefined {
    return undefined;
  }

  get isIndexable(): boolean {
    return false;
  }

  setElement(_index: number, _value: Value): boolean {
    return false;
  }

  slice(_start: number, _end: number, _step: number): Value | undefined {
    return undefined;
  }

  contains(_element: Value): boolean | undefined {
    return undefined;
  }

  attribute(_name: string): Value | undefined {
    return undefined;
  }

  /** Undefined for types that have no attributes at all. */
  attributeNames(): readonly string[] | undefined {
    return undefined;
  }

  /** The message when an attribute is missing, before the nearest name is suggested. */
  missingAttribute(name: string): string {
    return `${this.typeName} has no .${name} field or method`;
  }

  setAttribute(_name: string, _value: Value): boolean {
    return false;
  }

  unary(_operator: UnaryOperator): Value | undefined {
    return undefined;
  }

  binary(_operator: BinaryOperator, _other: Value, _side: "left" | "right"): Value | undefined {
    return undefined;
  }

  /** Compares with a value of the same type; undefined where only identity counts. */
  compare(
    _operator: ComparisonOperator,
    _other: StarlarkObject,
    _depth: number,
  ): boolean | undefined {
    return undefined;
  }
}
