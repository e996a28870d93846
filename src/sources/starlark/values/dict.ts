import { isEqual } from "../operations/compare.ts";
import { show } from "../operations/show.ts";
import { HashTable } from "./hash-table.ts";
import type { ComparisonOperator, StarlarkObject, Value } from "./value.ts";

export class StarlarkDict extends HashTable {
  readonly typeName = "dict";

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  show(path: readonly StarlarkObject[]): string {
    if (path.includes(this)) return "{...}";
    const inner = [...path, this];
    const shown = this.entries().map(([key, value]) => `${show(key, path)}: ${show(value, inner)}`);
    return `{${shown.join(", ")}}`;
  }

  override compare(
    operator: ComparisonOperator,
    other: StarlarkObject,
    depth: number,
  ): boolean | undefined {
    if (!(other instanceof StarlarkDict)) return undefined;
    if (operator !== "==" && operator !== "!=") return undefined;
    return this.#equals(other, depth) === (operator === "==");
  }

  #equals(other: StarlarkDict, depth: number): boolean {
    if (this.length !== other.length) return false;
    return this.entries().every(([key, value]) => {
      const counterpart = other.get(key);
      return counterpart !== undefined && isEqual(value, counterpart, depth - 1);
    });
  }
}
