const words: Readonly<Record<string, string>> = {
  unchanged: "unchanged",
  skip: "skipped",
  keep: "kept",
};

/** How many objects are going to be treated how, in words: `2 to create, 1 unchanged`. */
export function planCounts(actions: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = [...counts].map(([action, count]) => `${count} ${words[action] ?? `to ${action}`}`);
  return parts.length === 0 ? "nothing to do" : parts.join(", ");
}
