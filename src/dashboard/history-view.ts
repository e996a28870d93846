import { type HistoryEntry, historyOfGroup, readHistory } from "../inventory/index.ts";
import { identityOfKey, type KubernetesObject } from "../objects/index.ts";
import type { HistoryView } from "./dashboard-view.ts";

const known = new WeakMap<KubernetesObject, readonly HistoryEntry[]>();

/** What a ResourceGroup remembers of runs, the newest first; read once for each version of it. */
export function historyOf(group: KubernetesObject): readonly HistoryEntry[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const entries = readHistory(historyOfGroup(group));
  known.set(group, entries);
  return entries;
}

/** Runs as the page shows them; of those objects only, where that is asked, and only runs that touched one. */
export function historyView(
  entries: readonly HistoryEntry[],
  keys?: ReadonlySet<string>,
): readonly HistoryView[] {
  return entries
    .map(({ at, by, command, counts, objects, cut = 0 }) => ({
      at,
      by,
      command,
      summary: Object.entries(counts)
        .map(([action, count]) => `${count} ${action}`)
        .join(", "),
      // What was cut may be of anybody.
      cut: keys === undefined ? cut : 0,
      objects: objects
        .filter(({ key }) => keys?.has(key) ?? true)
        .map(({ key, action, fields = [], cut: more = 0, was = "" }) => {
          const { kind, namespace, name } = identityOfKey(key);
          return { key, kind, namespace, name, action, fields, more, was };
        }),
    }))
    .filter(({ objects, cut }) => objects.length + cut > 0);
}

/** When each object was last changed, by its key. */
export function lastChanges(entries: readonly HistoryEntry[]): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  for (const { at, objects } of entries)
    for (const { key, action } of objects)
      if (action !== "failed" && !changes.has(key)) changes.set(key, at);
  return changes;
}
