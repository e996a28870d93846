/** Values that differ from run to run, replaced by names in the order of their appearance. */
export class Normaliser {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #words: readonly (readonly [from: string, to: string])[];

  constructor(words: readonly (readonly [from: string, to: string])[]) {
    this.#words = words;
  }

  value(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (Array.isArray(value)) {
      const values = value.map((each) => this.value(each, key));
      if (key.endsWith("managedFields")) {
        return inOrderOfManagers(values.filter((each) => !isController(each)));
      }
      return key.endsWith("causes") ? inOrder(values) : values;
    }
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value)
      .filter(([name]) => name !== "storageVersionHash")
      .sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(
      entries.map(([name, each]) => [
        this.#words.reduce((text, [from, to]) => text.replaceAll(from, to), name),
        name === "resourceVersion" && !("uid" in value) ? anyVersion(each) : this.value(each, name),
      ]),
    );
  }

  #text(text: string, key: string): string {
    if (key.endsWith("resourceVersion") && /^\d+$/.test(text)) return this.#name("version", text);
    if (key.endsWith("continue") && text !== "") return "(token)";
    // The age of an object in a table's row.
    if (key === "cells" && /^\d{1,2}s$/.test(text)) return "(seconds)";
    const named = this.#words.reduce((result, [from, to]) => result.replaceAll(from, to), text);
    return named
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (uid) =>
        this.#name("uid", uid),
      )
      .replaceAll(/\b10\.96\.\d+\.\d+\b/g, "(cluster address)")
      .replaceAll(/\bkube-api-access-[a-z\d]{5}\b/g, "kube-api-access-(suffix)")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "(time)");
  }

  #name(kind: string, value: string): string {
    const known = this.#names.get(`${kind} ${value}`);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `(${kind} ${count})`;
    this.#names.set(`${kind} ${value}`, name);
    return name;
  }
}

/**
 * The server finds errors in the order of a hash table, some of them twice; managers are in the order
 * of the seconds in which they wrote.
 */
function inOrder(values: readonly unknown[]): readonly unknown[] {
  const texts = new Set(values.map((each) => JSON.stringify(each)));
  return [...texts].sort().map((text) => JSON.parse(text) as unknown);
}

/** Entries are sorted by time, which depends on where a second ended. */
function inOrderOfManagers(entries: readonly unknown[]): readonly unknown[] {
  const rank = (entry: unknown): string => {
    const { manager, operation, subresource, apiVersion } = entry as Readonly<
      Record<string, string | undefined>
    >;
    return [manager, operation, subresource, apiVersion].join("|");
  };
  return [...entries].sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** Controllers write the status whenever they get to it. */
function isController(entry: unknown): boolean {
  const { manager, subresource } = entry as Readonly<Record<string, unknown>>;
  return manager === "kube-controller-manager" && subresource === "status";
}

/** Lists and bookmarks have the version of the whole store, which others change meanwhile. */
function anyVersion(version: unknown): unknown {
  return version === "" ? version : "(any version)";
}
