import { EvaluationError } from "../evaluation-error.ts";
import { hashKeyOf } from "../operations/hash-key.ts";
import { StarlarkObject, type ElementIterator, type HashKey, type Value } from "./value.ts";

interface Entry {
  readonly key: Value;
  value: Value;
}

/** What dicts and sets have in common: hashable keys in the order in which they came. */
export abstract class HashTable extends StarlarkObject {
  readonly #entries = new Map<HashKey, Entry>();
  #isFrozen = false;
  #iterators = 0;

  override get isTruthy(): boolean {
    return this.#entries.size > 0;
  }

  override get length(): number {
    return this.#entries.size;
  }

  override freeze(): Iterable<Value> {
    if (this.#isFrozen) return [];
    this.#isFrozen = true;
    return this.contents();
  }

  override *contents(): Iterable<Value> {
    for (const { key, value } of this.#entries.values()) {
      yield key;
      yield value;
    }
  }

  checkMutable(verb: string): void {
    if (this.#isFrozen) throw new EvaluationError(`cannot ${verb} frozen hash table`);
    if (this.#iterators > 0) {
      throw new EvaluationError(`cannot ${verb} hash table during iteration`);
    }
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(hashKeyOf(key))?.value;
  }

  has(key: Value): boolean {
    return this.#entries.has(hashKeyOf(key));
  }

  /** A key that is there already stays in its place and keeps its first form. */
  set(key: Value, value: Value): void {
    this.checkMutable("insert into");
    const hashKey = hashKeyOf(key);
    const entry = this.#entries.get(hashKey);
    if (entry === undefined) this.#entries.set(hashKey, { key, value });
    else entry.value = value;
  }

  delete(key: Value): Value | undefined {
    this.checkMutable("delete from");
    if (this.#entries.size === 0) return undefined;
    const hashKey = hashKeyOf(key);
    const entry = this.#entries.get(hashKey);
    this.#entries.delete(hashKey);
    return entry?.value;
  }

  clear(): void {
    this.checkMutable("clear");
    this.#entries.clear();
  }

  keys(): Value[] {
    return Array.from(this.#entries.values(), ({ key }) => key);
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  entries(): [Value, Value][] {
    return Array.from(this.#entries.values(), ({ key, value }) => [key, value]);
  }

  /** Visits all entries without making anything of them. */
  forEach(visit: (key: Value, value: Value) => void): void {
    for (const { key, value } of this.#entries.values()) visit(key, value);
  }

  firstKey(): Value | undefined {
    for (const { key } of this.#entries.values()) return key;
    return undefined;
  }

  override iterate(): ElementIterator {
    const entries = this.#entries.values();
    if (!this.#isFrozen) this.#iterators++;
    return {
      next: () => entries.next().value?.key,
      done: () => {
        if (!this.#isFrozen) this.#iterators--;
      },
    };
  }
}
