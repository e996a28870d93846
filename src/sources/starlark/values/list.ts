import { EvaluationError } from "../evaluation-error.ts";
import { compareSequences } from "../operations/compare.ts";
import { show } from "../operations/show.ts";
import { isEqual } from "../operations/compare.ts";
import { sliceItems } from "./slice-items.ts";
import {
  StarlarkObject,
  type ComparisonOperator,
  type ElementIterator,
  type Value,
} from "./value.ts";

export class StarlarkList extends StarlarkObject {
  readonly typeName = "list";
  items: Value[];
  #isFrozen = false;
  #iterators = 0;

  constructor(items: Value[] = []) {
    super();
    this.items = items;
  }

  show(path: readonly StarlarkObject[]): string {
    if (path.includes(this)) return "[...]";
    const inner = [...path, this];
    return `[${this.items.map((item) => show(item, inner)).join(", ")}]`;
  }

  override get isTruthy(): boolean {
    return this.items.length > 0;
  }

  override freeze(): Iterable<Value> {
    if (this.#isFrozen) return [];
    this.#isFrozen = true;
    return this.items;
  }

  override contents(): Iterable<Value> {
    return this.items;
  }

  /** Fails when the list is frozen or being iterated over; `verb` completes "cannot … list". */
  checkMutable(verb: string): void {
    if (this.#isFrozen) throw new EvaluationError(`cannot ${verb} frozen list`);
    if (this.#iterators > 0) throw new EvaluationError(`cannot ${verb} list during iteration`);
  }

  override iterate(): ElementIterator {
    return new ListIterator(this);
  }

  beginIteration(): void {
    if (!this.#isFrozen) this.#iterators++;
  }

  endIteration(): void {
    if (!this.#isFrozen) this.#iterators--;
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

  override setElement(index: number, value: Value): boolean {
    this.checkMutable("assign to element of");
    this.items[index] = value;
    return true;
  }

  override slice(start: number, end: number, step: number): Value {
    return new StarlarkList(sliceItems(this.items, start, end, step));
  }

  override contains(element: Value): boolean {
    return this.items.some((item) => isEqual(item, element));
  }

  override compare(
    operator: ComparisonOperator,
    other: StarlarkObject,
    depth: number,
  ): boolean | undefined {
    if (!(other instanceof StarlarkList)) return undefined;
    return compareSequences(operator, this.items, other.items, depth);
  }
}

class ListIterator implements ElementIterator {
  readonly #list: StarlarkList;
  #index = 0;

  constructor(list: StarlarkList) {
    this.#list = list;
    list.beginIteration();
  }

  next(): Value | undefined {
    return this.#list.items[this.#index++];
  }

  done(): void {
    this.#list.endIteration();
  }
}
