import { isJsonObject, type JsonValue } from "../../json/index.ts";
import type { JsonPathOptions } from "./evaluate.ts";
import { filterHolds } from "./compare-values.ts";
import { JsonPathError } from "./evaluation-error.ts";
import type { JsonPathFilter, JsonPathSlice, JsonPathStep, JsonPathSteps } from "./json-path.ts";

/** A path of a few characters can visit a value many times over; this bounds all of them together. */
const mostVisits = 5_000_000;

/** Runs the steps of one evaluation, and counts the work of all of it. */
export class Evaluator {
  readonly #allowMissingKeys: boolean;
  #visitsLeft = mostVisits;

  constructor({ allowMissingKeys = true }: JsonPathOptions) {
    this.#allowMissingKeys = allowMissingKeys;
  }

  run(steps: JsonPathSteps, values: readonly JsonValue[]): readonly JsonValue[] {
    return steps.reduce<readonly JsonValue[]>((current, step) => this.#step(step, current), values);
  }

  #step(step: JsonPathStep, values: readonly JsonValue[]): readonly JsonValue[] {
    this.#count(values.length);
    switch (step.kind) {
      case "field":
        return this.#field(step.name, values);
      case "slice":
        return values.flatMap((value) => pick(value, this.#slice(step.slice, value)));
      case "wildcard":
        return values.flatMap((value) => this.#children(value));
      case "recursive":
        return values.flatMap((value) => this.#descend(value));
      case "union":
        return step.branches.flatMap((branch) => this.run(branch, values));
      case "filter":
        return values.flatMap((value) => pick(value, this.#filter(step.filter, value)));
      case "literal":
        // As in kubectl, text stands for itself even where there is no value.
        return typeof step.value === "string" ? [step.value] : values.map(() => step.value);
      default:
        return step satisfies never;
    }
  }

  #field(name: string, values: readonly JsonValue[]): readonly JsonValue[] {
    const results: JsonValue[] = [];
    for (const value of values) {
      if (isJsonObject(value) && Object.hasOwn(value, name)) results.push(value[name] ?? null);
    }
    if (results.length === 0 && values.length > 0 && !this.#allowMissingKeys) {
      throw new JsonPathError(`there is no field ${name}`);
    }
    return results;
  }

  /** The keys or indexes of the members of one value that a step leads to. */
  membersOf(step: JsonPathStep, value: JsonValue): readonly (string | number)[] {
    switch (step.kind) {
      case "field":
        return isJsonObject(value) ? [step.name] : [];
      case "slice":
        return this.#slice(step.slice, value);
      case "wildcard":
        return Array.isArray(value)
          ? [...value.keys()]
          : isJsonObject(value)
            ? Object.keys(value)
            : [];
      case "filter":
        return this.#filter(step.filter, value);
      case "union":
        return step.branches.flatMap((branch) => {
          const [only, ...more] = branch;
          if (only === undefined || more.length > 0) throw new JsonPathError(noPlace);
          return this.membersOf(only, value);
        });
      case "recursive":
      case "literal":
        throw new JsonPathError(noPlace);
      default:
        return step satisfies never;
    }
  }

  #slice(slice: JsonPathSlice, value: JsonValue): readonly number[] {
    if (value === null) return [];
    if (!Array.isArray(value)) throw new JsonPathError("an index wants a list");
    const { length } = value;
    const start = fromEnd(slice.start ?? 0, length);
    const end = slice.single ? start + 1 : fromEnd(slice.end ?? length, length);
    if (start === end) return [];
    if (start < 0 || start >= length) throw outOfBounds(slice.start ?? 0, length);
    if (end < 0 || end > length) throw outOfBounds(slice.end ?? end, length);
    if (start > end) throw new JsonPathError(`the slice starts at ${start}, after its end ${end}`);
    const step = slice.step ?? 1;
    if (step <= 0) throw new JsonPathError("the step of a slice must be above 0");
    this.#count(end - start);
    return Array.from(
      { length: Math.ceil((end - start) / step) },
      (_, index) => start + index * step,
    );
  }

  /** Strings have no members here; kubectl would give their bytes as numbers. */
  #children(value: JsonValue): readonly JsonValue[] {
    const children = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    this.#count(children.length);
    return children;
  }

  /** The value and all below it that have something in them, as kubectl: also texts, not numbers. */
  #descend(value: JsonValue): readonly JsonValue[] {
    const found: JsonValue[] = [];
    const waiting: JsonValue[] = [value];
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      const children = this.#children(current);
      if (children.length > 0 || (typeof current === "string" && current !== "")) {
        found.push(current);
      }
      for (const child of children.toReversed()) waiting.push(child);
    }
    return found;
  }

  #filter(filter: JsonPathFilter, value: JsonValue): readonly number[] {
    if (!Array.isArray(value)) throw new JsonPathError("a filter wants a list");
    return value.flatMap((item, index) => (this.#passes(filter, item) ? [index] : []));
  }

  #passes(filter: JsonPathFilter, item: JsonValue): boolean {
    if (filter.kind === "exists") return this.#exists(filter.left, item);
    const left = this.#operand(filter.left, item);
    if (left === undefined) return false;
    const right = this.#operand(filter.right, item);
    return right !== undefined && filterHolds(left, filter.operator, right);
  }

  #exists(steps: JsonPathSteps, item: JsonValue): boolean {
    try {
      return this.run(steps, [item]).length > 0;
    } catch (error) {
      // What cannot be reached does not exist; only the bound on work stays an error.
      if (error instanceof JsonPathError && this.#visitsLeft >= 0) return false;
      throw error;
    }
  }

  #operand(steps: JsonPathSteps, item: JsonValue): JsonValue | undefined {
    const values = this.run(steps, [item]);
    if (values.length > 1) throw new JsonPathError("a filter compares one value at a time");
    return values[0];
  }

  #count(visits: number): void {
    this.#visitsLeft -= visits + 1;
    if (this.#visitsLeft < 0) throw new JsonPathError("it visits too many values");
  }
}

const noPlace = "its last step is no single field, index, slice or filter";

function pick(value: JsonValue, indexes: readonly number[]): readonly JsonValue[] {
  return Array.isArray(value) ? indexes.map((index) => value[index] ?? null) : [];
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`the index ${index} is outside of a list of ${length}`);
}
