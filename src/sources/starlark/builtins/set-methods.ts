import { anyValue, iterable, unpackPositional } from "../arguments.ts";
import { named, raise } from "../evaluation-error.ts";
import { combineSets } from "../operations/binary.ts";
import { collect } from "../operations/iterate.ts";
import { entryBytes } from "../operations/size.ts";
import { typeName } from "../operations/type-name.ts";
import type { Thread } from "../evaluate/thread.ts";
import type { BuiltinCode, KeywordArguments } from "../values/callable.ts";
import { StarlarkSet } from "../values/set.ts";
import type { Value } from "../values/value.ts";
import { builtinTable } from "./method-table.ts";

export const setMethods = builtinTable({
  add({ meter }, args, keywords, name, receiver) {
    const set = receiver as StarlarkSet;
    const [element] = unpackPositional(name, args, keywords, [anyValue]);
    named(name, () => {
      set.checkMutable("insert into");
      meter.allocate(entryBytes);
      if (!set.has(element)) set.add(element);
    });
    return null;
  },

  clear(_thread, args, keywords, name, receiver) {
    const set = receiver as StarlarkSet;
    unpackPositional(name, args, keywords, []);
    if (set.length > 0) named(name, () => set.clear());
    return null;
  },

  difference: combination("-"),
  intersection: combination("&"),
  symmetric_difference: combination("^"),

  discard(_thread, args, keywords, name, receiver) {
    const set = receiver as StarlarkSet;
    const [element] = unpackPositional(name, args, keywords, [anyValue]);
    named(name, () => {
      set.checkMutable("delete from");
      if (set.has(element)) set.delete(element);
    });
    return null;
  },

  issubset(thread, args, keywords, name, receiver) {
    const set = receiver as StarlarkSet;
    const others = otherElements(thread, args, keywords, name);
    return named(name, () => {
      const found = new StarlarkSet();
      for (const element of others) {
        if (found.length === set.length) break;
        if (set.has(element)) found.add(element);
      }
      return found.length === set.length;
    });
  },

  issuperset(thread, args, keywords, name, receiver) {
    const others = otherElements(thread, args, keywords, name);
    return named(name, () => others.every((element) => (receiver as StarlarkSet).has(element)));
  },

  pop(_thread, args, keywords, name, receiver) {
    const set = receiver as StarlarkSet;
    unpackPositional(name, args, keywords, []);
    const element = set.firstKey();
    if (element === undefined) raise(`${name}: empty set`);
    named(name, () => set.delete(element));
    return element;
  },

  remove(_thread, args, keywords, name, receiver) {
    const [element] = unpackPositional(name, args, keywords, [anyValue]);
    return named(name, () => {
      const found = (receiver as StarlarkSet).delete(element);
      return found === undefined ? raise("missing key") : null;
    });
  },

  union(thread, args, keywords, name, receiver) {
    const union = new StarlarkSet((receiver as StarlarkSet).keys());
    thread.meter.allocate(union.length * entryBytes);
    addAll(thread, union, args, keywords, name);
    return union;
  },

  update(thread, args, keywords, name, receiver) {
    addAll(thread, receiver as StarlarkSet, args, keywords, name);
    return null;
  },
});

function combination(operator: "-" | "&" | "^"): BuiltinCode {
  return (thread, args, keywords, name, receiver) => {
    const set = receiver as StarlarkSet;
    const others = otherElements(thread, args, keywords, name);
    thread.meter.allocate((set.length + others.length) * entryBytes);
    return named(name, () => combineSets(operator, set, others));
  };
}

function otherElements(
  { meter }: Thread,
  args: readonly Value[],
  keywords: KeywordArguments,
  name: string,
): readonly Value[] {
  const [other] = unpackPositional(name, args, keywords, [], [iterable]);
  return other === undefined ? [] : (collect(meter, other) ?? []);
}

function addAll(
  { meter }: Thread,
  set: StarlarkSet,
  args: readonly Value[],
  keywords: KeywordArguments,
  name: string,
): void {
  named(name, () => {
    if (keywords.length > 0) raise("does not accept keyword arguments");
    for (const [index, argument] of args.entries()) {
      const elements = collect(meter, argument);
      if (elements === undefined) {
        raise(`argument #${index + 1} is not iterable: ${typeName(argument)}`);
      }
      meter.allocate(elements.length * entryBytes);
      for (const element of elements) set.add(element);
    }
  });
}
