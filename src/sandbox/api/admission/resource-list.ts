import { addQuantities, compareQuantities, subtractQuantities } from "../../../schema/index.ts";

/** Quantities by the names of what they measure. */
export type ResourceList = Readonly<Record<string, string>>;

export function addLists(left: ResourceList, right: ResourceList): ResourceList {
  return combine(left, right, addQuantities);
}

/** The greater of two lists, name by name. */
export function greaterOf(left: ResourceList, right: ResourceList): ResourceList {
  return combine(left, right, (one, other) =>
    (compareQuantities(one, other) ?? 0) < 0 ? other : one,
  );
}

/** What `left` has more than `right`; nothing where it has less. */
export function increaseOver(left: ResourceList, right: ResourceList): ResourceList {
  const entries = Object.entries(left).map(([name, quantity]) => {
    const more = subtractQuantities(quantity, right[name] ?? "0");
    return [name, (compareQuantities(more, "0") ?? 0) < 0 ? "0" : more] as const;
  });
  return Object.fromEntries(entries);
}

export function withoutZeros(list: ResourceList): ResourceList {
  return pick(list, (name) => compareQuantities(list[name] ?? "0", "0") !== 0);
}

export function pick(list: ResourceList, wanted: (name: string) => boolean): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => wanted(name)));
}

/** `cpu=1,memory=1Gi`, sorted by name. */
export function formatList(list: ResourceList): string {
  return Object.keys(list)
    .toSorted()
    .map((name) => `${name}=${list[name]}`)
    .join(",");
}

function combine(
  left: ResourceList,
  right: ResourceList,
  operation: (left: string, right: string) => string,
): ResourceList {
  const result: Record<string, string> = { ...left };
  for (const [name, quantity] of Object.entries(right)) {
    const present = result[name];
    result[name] = present === undefined ? quantity : operation(present, quantity);
  }
  return result;
}
