import {
  bool,
  callable,
  exactInt,
  iterable,
  optional,
  required,
  unpackArguments,
  unpackPositional,
} from "../arguments.ts";
import type { Thread } from "../evaluate/thread.ts";
import { named, raise } from "../evaluation-error.ts";
import { compare } from "../operations/compare.ts";
import { collect, isIterable, iterate } from "../operations/iterate.ts";
import { entryBytes, objectBytes, wordBytes } from "../operations/size.ts";
import { isTrue } from "../operations/truth.ts";
import { typeName } from "../operations/type-name.ts";
import type { BuiltinCode } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkRange } from "../values/range.ts";
import { StarlarkSet } from "../values/set.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { ElementIterator, Value } from "../values/value.ts";
import { updateDict } from "./dict-methods.ts";

/** Builtins that make collections or go through them. */
export const collectionFunctions: Readonly<Record<string, BuiltinCode>> = {
  all: quantifier(false),
  any: quantifier(true),

  dict({ meter }, args, keywords) {
    if (args.length > 1) raise(`dict: got ${args.length} arguments, want at most 1`);
    const result = new StarlarkDict();
    meter.allocate(objectBytes + keywords.length * entryBytes);
    named("dict", () => updateDict(meter, result, args[0], keywords));
    return result;
  },

  enumerate({ meter }, args, keywords, name) {
    const [elements, start = 0] = unpackPositional(name, args, keywords, [iterable], [exactInt]);
    const items = collect(meter, elements) ?? [];
    meter.allocate(items.length * (objectBytes + 2 * wordBytes));
    return new StarlarkList(items.map((item, index) => new StarlarkTuple([start + index, item])));
  },

  max: extremum(">"),
  min: extremum("<"),

  range(_thread, args, keywords, name) {
    const [first, second, step = 1] = unpackPositional(
      name,
      args,
      keywords,
      [exactInt],
      [exactInt, exactInt],
    );
    if (step === 0) raise("range: step argument must not be zero");
    return second === undefined
      ? new StarlarkRange(0, first, step)
      : new StarlarkRange(first, second, step);
  },

  reversed({ meter }, args, keywords, name) {
    const [elements] = unpackPositional(name, args, keywords, [iterable]);
    return new StarlarkList((collect(meter, elements) ?? []).toReversed());
  },

  set({ meter }, args, keywords, name) {
    const [elements] = unpackPositional(name, args, keywords, [], [iterable]);
    const items = elements === undefined ? [] : (collect(meter, elements) ?? []);
    meter.allocate(objectBytes + items.length * entryBytes);
    return named(name, () => new StarlarkSet(items));
  },

  sorted,

  zip({ meter }, args, keywords) {
    if (keywords.length > 0) raise("zip does not accept keyword arguments");
    const columns = args.map((column, index) => {
      const items = collect(meter, column);
      return items ?? raise(`zip: argument #${index + 1} is not iterable: ${typeName(column)}`);
    });
    const rows = Math.min(...columns.map(({ length }) => length));
    if (columns.length === 0) return new StarlarkList();
    meter.allocate(rows * (objectBytes + columns.length * wordBytes));
    return new StarlarkList(
      Array.from(
        { length: rows },
        (_, row) => new StarlarkTuple(columns.map((column) => column[row] ?? null)),
      ),
    );
  },
};

/** Whether there is an element that counts as `wanted`; the rest is not looked at. */
function quantifier(wanted: boolean): BuiltinCode {
  return ({ meter }, args, keywords, name) => {
    const [elements] = unpackPositional(name, args, keywords, [iterable]);
    return withElements(elements, (iterator) => {
      for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
        meter.step(1);
        if (isTrue(item) === wanted) return wanted;
      }
      return !wanted;
    });
  };
}

function withElements<T>(elements: Value, run: (iterator: ElementIterator) => T): T {
  const iterator = iterate(elements) ?? raise(`${typeName(elements)} value is not iterable`);
  try {
    return run(iterator);
  } finally {
    iterator.done();
  }
}

function extremum(operator: "<" | ">"): BuiltinCode {
  return (thread, args, keywords, name) => {
    if (args.length === 0) raise(`${name} requires at least one positional argument`);
    const { key } = unpackArguments(name, [], keywords, { key: optional(callable) });
    const [only = null] = args;
    const elements = args.length === 1 ? only : new StarlarkTuple(args);
    if (!isIterable(elements)) {
      raise(`${name}: ${typeName(elements)} value is not iterable`);
    }
    const keyOf = (item: Value): Value => (key === undefined ? item : thread.call(key, [item]));
    return withElements(elements, (iterator) => {
      let best = iterator.next();
      if (best === undefined) raise(`${name}: argument is an empty sequence`);
      let bestKey = keyOf(best);
      for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
        thread.meter.step(1);
        const itemKey = keyOf(item);
        if (!named(name, () => compare(operator, itemKey, bestKey))) continue;
        best = item;
        bestKey = itemKey;
      }
      return best;
    });
  };
}

function sorted(...[thread, args, keywords]: Parameters<BuiltinCode>): Value {
  const parameters = unpackArguments("sorted", args, keywords, {
    iterable: required(iterable),
    key: optional(callable),
    reverse: optional(bool),
  });
  return withElements(parameters.iterable, () => {
    const items = collect(thread.meter, parameters.iterable) ?? [];
    const { key } = parameters;
    const pairs = items.map((item) => ({
      item,
      key: key === undefined ? item : thread.call(key, [item]),
    }));
    return new StarlarkList(sortPairs(thread, pairs, parameters.reverse === true));
  });
}

/** Stable, also when reversed; elements that cannot be compared fail. */
function sortPairs(
  { meter }: Thread,
  pairs: readonly { readonly item: Value; readonly key: Value }[],
  isReversed: boolean,
): Value[] {
  const ordered = pairs.toSorted((left, right) => {
    meter.step(1);
    const [low, high] = isReversed ? [right.key, left.key] : [left.key, right.key];
    if (compare("<", low, high)) return -1;
    return compare("<", high, low) ? 1 : 0;
  });
  return ordered.map(({ item }) => item);
}
