import { anyValue, unpackPositional } from "../arguments.ts";
import { named, raise } from "../evaluation-error.ts";
import type { Meter } from "../limits.ts";
import { collect, isIterable, iterate, lengthOf } from "../operations/iterate.ts";
import { entryBytes, objectBytes, wordBytes } from "../operations/size.ts";
import { typeName } from "../operations/type-name.ts";
import type { KeywordArguments } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkList } from "../values/list.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";
import { builtinTable } from "./method-table.ts";

export const dictMethods = builtinTable({
  clear(_thread, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    (receiver as StarlarkDict).clear();
    return null;
  },

  get(_thread, args, keywords, name, receiver) {
    const [key, missing] = unpackPositional(name, args, keywords, [anyValue], [anyValue]);
    const value = named(name, () => (receiver as StarlarkDict).get(key));
    return value === undefined ? (missing ?? null) : value;
  },

  items({ meter }, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    const entries = (receiver as StarlarkDict).entries();
    meter.step(entries.length);
    meter.allocate(objectBytes + entries.length * (objectBytes + 2 * wordBytes));
    return new StarlarkList(entries.map((entry) => new StarlarkTuple(entry)));
  },

  keys({ meter }, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    return newList(meter, (receiver as StarlarkDict).keys());
  },

  pop(_thread, args, keywords, name, receiver) {
    const [key, missing] = unpackPositional(name, args, keywords, [anyValue], [anyValue]);
    const value = named(name, () => (receiver as StarlarkDict).delete(key));
    return value !== undefined
      ? value
      : missing !== undefined
        ? missing
        : raise("pop: missing key");
  },

  popitem(_thread, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    const dict = receiver as StarlarkDict;
    const key = dict.firstKey();
    if (key === undefined) raise(`${name}: empty dict`);
    const value = named(name, () => dict.delete(key));
    return new StarlarkTuple([key, value ?? null]);
  },

  setdefault({ meter }, args, keywords, name, receiver) {
    const dict = receiver as StarlarkDict;
    const [key, value = null] = unpackPositional(name, args, keywords, [anyValue], [anyValue]);
    return named(name, () => {
      const known = dict.get(key);
      if (known !== undefined) return known;
      meter.allocate(entryBytes);
      dict.set(key, value);
      return value;
    });
  },

  update({ meter }, args, keywords, name, receiver) {
    const [updates] = args;
    if (args.length > 1) raise(`${name}: got ${args.length} arguments, want at most 1`);
    named(name, () => updateDict(meter, receiver as StarlarkDict, updates, keywords));
    return null;
  },

  values({ meter }, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    return newList(meter, (receiver as StarlarkDict).values());
  },
});

/** Adds the entries of a dict or of a sequence of pairs, then the named arguments. */
export function updateDict(
  meter: Meter,
  dict: StarlarkDict,
  updates: Value | undefined,
  keywords: KeywordArguments,
): void {
  if (updates instanceof StarlarkDict) {
    meter.step(updates.length);
    meter.allocate(updates.length * entryBytes);
    for (const [key, value] of updates.entries()) dict.set(key, value);
  } else if (updates !== undefined) addPairs(meter, dict, updates);
  const seen = new Set<string>();
  for (const { name, value } of keywords) {
    dict.set(name, value);
    if (seen.has(name)) raise(`duplicate keyword arg: "${name}"`);
    seen.add(name);
  }
}

function addPairs(meter: Meter, dict: StarlarkDict, updates: Value): void {
  const pairs = iterate(updates) ?? raise(`got ${typeName(updates)}, want iterable`);
  try {
    let index = 0;
    for (let pair = pairs.next(); pair !== undefined; pair = pairs.next()) {
      const element = `dictionary update sequence element #${index++}`;
      const length = lengthOf(pair);
      if (!isIterable(pair)) raise(`${element} is not iterable (${typeName(pair)})`);
      if (length < 0) raise(`${element} has unknown length (${typeName(pair)})`);
      if (length !== 2) raise(`${element} has length ${length}, want 2`);
      const [key = null, value = null] = collect(meter, pair) ?? [];
      meter.allocate(entryBytes);
      dict.set(key, value);
    }
  } finally {
    pairs.done();
  }
}

function newList(meter: Meter, items: Value[]): StarlarkList {
  meter.step(items.length);
  meter.allocate(objectBytes + items.length * wordBytes);
  return new StarlarkList(items);
}
