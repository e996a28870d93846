import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../json/index.ts";

/** What a run did with one object. */
export type HistoryAction = "created" | "changed" | "replaced" | "renamed" | "pruned" | "failed";

/** One run that changed something. Never holds a value of an object, only the names of its fields. */
export interface HistoryEntry {
  /** When it ended. */
  readonly at: string;
  /** Who ran it, as the Lease says. */
  readonly by: string;
  readonly command: string;
  readonly counts: Readonly<Partial<Record<HistoryAction, number>>>;
  readonly objects: readonly HistoryObject[];
  /** How many objects are left out of the list. */
  readonly cut?: number | undefined;
}

export interface HistoryObject {
  /** The key of its identity: `apps/Deployment/shop/web`. */
  readonly key: string;
  readonly action: HistoryAction;
  /** The paths of the fields that changed. */
  readonly fields?: readonly string[] | undefined;
  /** How many more fields changed. */
  readonly cut?: number | undefined;
  /** The name that the resource of a program had before. */
  readonly was?: string | undefined;
}

/** Holds the history of an inventory where the status of its first ResourceGroup cannot. */
export const historyAnnotation = "keelson.dev/history";

const mostEntries = 20;
const mostObjects = 200;
const mostFields = 12;
const longestText = 200;
const mostBytes = 32 * 1024;

/** The newest entry first; what cannot be read counts as none. */
export function readHistory(text: string | undefined): readonly HistoryEntry[] {
  if (text === undefined || text === "") return [];
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** The history with one more entry, as it is kept: the newest first, the oldest cut before they go. */
export function addToHistory(text: string | undefined, entry: HistoryEntry): string {
  const entries = [bounded(entry), ...readHistory(text)].slice(0, mostEntries);
  let written = JSON.stringify(entries);
  while (Buffer.byteLength(written) > mostBytes && entries.length > 0) {
    const longest = entries.findLastIndex(({ objects }) => objects.length > 0);
    const long = entries[longest];
    if (long === undefined) entries.pop();
    else entries[longest] = cutTo(long, Math.floor(long.objects.length / 2));
    written = JSON.stringify(entries);
  }
  return written;
}

/** What a run did with objects, as one entry; undefined when that is nothing. */
export function entryOf(
  objects: readonly HistoryObject[],
  run: Pick<HistoryEntry, "at" | "by" | "command">,
): HistoryEntry | undefined {
  if (objects.length === 0) return undefined;
  const counts: Partial<Record<HistoryAction, number>> = {};
  for (const { action } of objects) counts[action] = (counts[action] ?? 0) + 1;
  // What went wrong is looked for first, and is what is cut last.
  const order = (action: HistoryAction): number => (action === "failed" ? 0 : 1);
  return { ...run, counts, objects: objects.toSorted((a, b) => order(a.action) - order(b.action)) };
}

/** The history of what is reconciled again and again: the same failures, one after another, count once. */
function historyWith(
  text: string | undefined,
  objects: readonly HistoryObject[],
  run: Pick<HistoryEntry, "at" | "by" | "command">,
): string | undefined {
  // Writes are under way at once: the order of their answers says nothing.
  const sorted = objects.toSorted((left, right) => (left.key < right.key ? -1 : 1));
  const entry = entryOf(sorted, run);
  if (entry === undefined) return text;
  const [newest] = readHistory(text);
  const isKnown =
    objects.every(({ action }) => action === "failed") &&
    newest !== undefined &&
    sameText(newest.objects) === sameText(objects);
  return isKnown ? text : addToHistory(text, entry);
}

/** The same, as the field of a status that holds it. */
export function historyField(
  before: unknown,
  objects: readonly HistoryObject[],
  run: Pick<HistoryEntry, "at" | "by" | "command">,
): JsonObject {
  const text = historyWith(before === undefined ? undefined : stringifyJson(before), objects, run);
  return text === undefined ? {} : { history: parseJson(text) };
}

function sameText(objects: readonly HistoryObject[]): string {
  return objects
    .map(({ key, action }) => `${action} ${key}`)
    .toSorted()
    .join();
}

function bounded(entry: HistoryEntry): HistoryEntry {
  const objects = entry.objects.map((object) => {
    const { fields = [], was, ...rest } = object;
    const cut = (object.cut ?? 0) + Math.max(0, fields.length - mostFields);
    return {
      ...rest,
      ...(fields.length === 0 ? {} : { fields: fields.slice(0, mostFields).map(short) }),
      ...(cut === 0 ? {} : { cut }),
      ...(was === undefined ? {} : { was: short(was) }),
    };
  });
  const whole = { ...entry, by: short(entry.by), command: short(entry.command), objects };
  return cutTo(whole, mostObjects);
}

function cutTo(entry: HistoryEntry, most: number): HistoryEntry {
  const left = Math.max(0, entry.objects.length - most);
  if (left === 0) return entry;
  return { ...entry, objects: entry.objects.slice(0, most), cut: (entry.cut ?? 0) + left };
}

function short(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`;
}

function isEntry(value: unknown): value is HistoryEntry {
  return (
    isJsonObject(value) &&
    ["at", "by", "command"].every((field) => typeof value[field] === "string") &&
    isJsonObject(value["counts"]) &&
    Array.isArray(value["objects"]) &&
    value["objects"].every(isHistoryObject)
  );
}

function isHistoryObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { key, action, fields = [], was = "" } = value;
  return (
    typeof key === "string" &&
    typeof action === "string" &&
    typeof was === "string" &&
    Array.isArray(fields) &&
    fields.every((field) => typeof field === "string")
  );
}
