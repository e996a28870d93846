import { compareSequences, isEqual } from "../operations/compare.ts";
import { compoundKey, hashKeyOf } from "../operations/hash-key.ts";
import { show } from "../operations/show.ts";
import { ArrayIterator } from "./array-iterator.ts";
import { sliceItems } from "./slice-items.ts";
import {
  StarlarkObject,
  type ComparisonOperator,
  type ElementIterator,
  type HashKey,
  type Value,
} from "./value.ts";

export class StarlarkTuple extends StarlarkObject {
  readonly typeName = "tuple";
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  show(path: readonly StarlarkObject[]): string {
    const shown = this.items.map((item) => show(item, path)).join(", ");
    return this.items.length === 1 ? `(${shown},)` : `(${shown})`;
  }

  override get isTruthy(): boolean {
    return this.items.length > 0;
  }

  override hashKey(): HashKey {
    return compoundKey("tuple", this.items.map(hashKeyOf));
  }

  override freeze(): Iterable<Value> {
    return this.items;
  }

  override contents(): Iterable<Value> {
    return this.items;
  }

  override iterate(): ElementIterator {
    return new ArrayIterator(this.items);
  }

  override get length(): number {
    return this.items.length;
  }

  override get isIndexable(): boolean {
    return true;
  }

  override elementAt(index: number): Value | undefined {
    return this.items[index];
  }

  override slice(start: number, end: number, step: number): Value {
    return new StarlarkTuple(sliceItems(this.items, start, end, step));
  }

  override contains(element: Value): boolean {
    return this.items.some((item) => isEqual(item, element));
  }

  override compare(
    operator: ComparisonOperator,
    other: StarlarkObject,
    depth: number,
  ): boolean | undefined {
    if (!(other instanceof StarlarkTuple)) return undefined;
    return compareSequences(operator, this.items, other.items, depth);
  }
}
