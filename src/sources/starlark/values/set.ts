import { show } from "../operations/show.ts";
import { HashTable } from "./hash-table.ts";
import type { ComparisonOperator, StarlarkObject, Value } from "./value.ts";

export class StarlarkSet extends HashTable {
  readonly typeName = "set";

  constructor(elements: Iterable<Value> = []) {
    super();
    for (const element of elements) this.add(element);
  }

  show(path: readonly StarlarkObject[]): string {
    return `set([${this.keys()
      .map((key) => show(key, path))
      .join(", ")}])`;
  }

  add(element: Value): void {
    this.set(element, null);
  }

  override contains(element: Value): boolean {
    return this.has(element);
  }

  /** The order of sets is inclusion, which is partial. */
  override compare(operator: ComparisonOperator, other: StarlarkObject): boolean | undefined {
    if (!(other instanceof StarlarkSet)) return undefined;
    const includes = (outer: StarlarkSet, inner: StarlarkSet): boolean =>
      inner.length <= outer.length && inner.keys().every((key) => outer.has(key));
    const isSameSize = this.length === other.length;
    switch (operator) {
      case "==":
        return isSameSize && includes(this, other);
      case "!=":
        return !isSameSize || !includes(this, other);
      case "<=":
        return includes(other, this);
      case ">=":
        return includes(this, other);
      case "<":
        return !isSameSize && includes(other, this);
      case ">":
        return !isSameSize && includes(this, other);
    }
  }
}
