import { raise } from "../evaluation-error.ts";
import { typeName } from "../operations/type-name.ts";
import { StarlarkFloat } from "./float.ts";
import { isInt, isInt32 } from "./int.ts";
import {
  StarlarkObject,
  type ComparisonOperator,
  type ElementIterator,
  type HashKey,
  type Value,
} from "./value.ts";

/** An arithmetic sequence that is never written out. */
export class StarlarkRange extends StarlarkObject {
  readonly typeName = "range";
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly #length: number;

  constructor(start: number, stop: number, step: number) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    const span = step > 0 ? stop - start : start - stop;
    this.#length = span > 0 ? Math.floor((span - 1) / Math.abs(step)) + 1 : 0;
  }

  show(): string {
    if (this.step !== 1) return `range(${this.start}, ${this.stop}, ${this.step})`;
    return this.start === 0 ? `range(${this.stop})` : `range(${this.start}, ${this.stop})`;
  }

  override get isTruthy(): boolean {
    return this.#length > 0;
  }

  override hashKey(): HashKey {
    raise("unhashable: range");
  }

  override get length(): number {
    return this.#length;
  }

  override get isIndexable(): boolean {
    return true;
  }

  override elementAt(index: number): Value {
    return this.start + index * this.step;
  }

  override slice(start: number, end: number, step: number): Value {
    return new StarlarkRange(
      this.start + this.step * start,
      this.start + this.step * end,
      this.step * step,
    );
  }

  override iterate(): ElementIterator {
    let index = 0;
    return {
      next: () => (index < this.#length ? this.elementAt(index++) : undefined),
      done: () => undefined,
    };
  }

  override contains(element: Value): boolean {
    const int = element instanceof StarlarkFloat ? Math.trunc(element.number) : element;
    if (!isInt(int) || !Number.isFinite(Number(int))) {
      raise(`'in <range>' requires integer as left operand, not ${typeName(element)}`);
    }
    if (!isInt32(int)) return false;
    const index = (int - this.start) / this.step;
    return Number.isInteger(index) && index >= 0 && index < this.#length;
  }

  override compare(operator: ComparisonOperator, other: StarlarkObject): boolean | undefined {
    if (!(other instanceof StarlarkRange)) return undefined;
    if (operator !== "==" && operator !== "!=") return undefined;
    return this.#equals(other) === (operator === "==");
  }

  #equals(other: StarlarkRange): boolean {
    if (this.#length !== other.length) return false;
    if (this.#length === 0) return true;
    return this.start === other.start && (this.#length === 1 || this.step === other.step);
  }
}
