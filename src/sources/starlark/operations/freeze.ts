import { StarlarkObject, type Value } from "../values/value.ts";

/** Makes values and all they reach unchangeable, without recursion. */
export function freeze(values: Iterable<Value>): void {
  const pending = [...values].filter((value) => value instanceof StarlarkObject);
  const seen = new Set<StarlarkObject>();
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    for (const inner of value.freeze()) {
      if (inner instanceof StarlarkObject) pending.push(inner);
    }
  }
}
