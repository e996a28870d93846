import { anyValue, int, iterable, unpackPositional } from "../arguments.ts";
import { named, raise } from "../evaluation-error.ts";
import { isEqual } from "../operations/compare.ts";
import { bounds, outOfRange } from "../operations/element.ts";
import { collect } from "../operations/iterate.ts";
import { wordBytes } from "../operations/size.ts";
import type { StarlarkList } from "../values/list.ts";
import { builtinTable } from "./method-table.ts";

export const listMethods = builtinTable({
  append({ meter }, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    const [element] = unpackPositional(name, args, keywords, [anyValue]);
    named(name, () => list.checkMutable("append to"));
    meter.allocate(wordBytes);
    list.items.push(element);
    return null;
  },

  clear(_thread, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    unpackPositional(name, args, keywords, []);
    named(name, () => list.checkMutable("clear"));
    list.items = [];
    return null;
  },

  extend({ meter }, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    const [elements] = unpackPositional(name, args, keywords, [iterable]);
    named(name, () => list.checkMutable("extend"));
    for (const element of collect(meter, elements) ?? []) list.items.push(element);
    return null;
  },

  index(_thread, args, keywords, name, receiver) {
    const { items } = receiver as StarlarkList;
    const [wanted, low, high] = unpackPositional(
      name,
      args,
      keywords,
      [anyValue],
      [anyValue, anyValue],
    );
    return named(name, () => {
      const { start, end } = bounds(low ?? null, high ?? null, items.length);
      const index = items.findIndex((item, at) => at >= start && at < end && isEqual(item, wanted));
      return index < 0 ? raise("value not in list") : index;
    });
  },

  insert({ meter }, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    const [index, element] = unpackPositional(name, args, keywords, [int, anyValue]);
    named(name, () => list.checkMutable("insert into"));
    meter.allocate(wordBytes);
    list.items.splice(index, 0, element);
    return null;
  },

  pop(_thread, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    const [index = list.length - 1] = unpackPositional(name, args, keywords, [], [int]);
    const at = index < 0 ? index + list.length : index;
    const element = list.items[at];
    if (element === undefined) raise(`${name}: ${outOfRange(list, index)}`);
    named(name, () => list.checkMutable("pop from"));
    if (at === list.length - 1) list.items.pop();
    else list.items.splice(at, 1);
    return element;
  },

  remove(_thread, args, keywords, name, receiver) {
    const list = receiver as StarlarkList;
    const [wanted] = unpackPositional(name, args, keywords, [anyValue]);
    return named(name, () => {
      list.checkMutable("remove from");
      const index = list.items.findIndex((item) => isEqual(item, wanted));
      if (index < 0) raise("element not found");
      list.items.splice(index, 1);
      return null;
    });
  },
});
