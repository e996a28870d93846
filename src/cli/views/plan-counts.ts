const words: Readonly<Record<string, string>> = {
  unchanged: "unchanged",
  skip: "skipped",
  keep: "kept",
  refused: "refused by the server",
};

/** What is done first, what is left alone last. */
const order = [
  "refused",
  "create",
  "update",
  "replace",
  "prune",
  "delete",
  "keep",
  "skip",
  "unchanged",
];

/** How many objects are going to be treated how, in words: `2 to create, 1 unchanged`. */
export function planCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .toSorted(([left], [right]) => order.indexOf(left) - order.indexOf(right))
    .map(([action, count]) => `${count} ${words[action] ?? `to ${action}`}`);
  return parts.length === 0 ? "nothing to do" : parts.join(", ");
}
