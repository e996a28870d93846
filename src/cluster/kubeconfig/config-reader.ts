import { fail } from "../../diagnostics/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads fields of a kubeconfig, and names the field when it has another type than it should. */
export class ConfigReader {
  readonly #file: string;
  readonly #path: string;
  readonly #fields: Fields;

  constructor(file: string, path: string, value: unknown) {
    this.#file = file;
    this.#path = path;
    this.#fields = isFields(value) ? value : this.#wrong("", "a map", value);
  }

  value(field: string): unknown {
    return this.#fields[field] ?? undefined;
  }

  /** Empty text counts as left out, as for kubectl. */
  text(field: string): string | undefined {
    const value = this.value(field);
    if (value === undefined || value === "") return undefined;
    // Tokens and names of digits are often left unquoted.
    if (typeof value === "number" || typeof value === "bigint") return String(value);
    return typeof value === "string" ? value : this.#wrong(field, "text", value);
  }

  flag(field: string): boolean {
    const value = this.value(field) ?? false;
    return typeof value === "boolean" ? value : this.#wrong(field, "true or false", value);
  }

  /** Decoded text; PEM is ASCII. */
  base64(field: string): string | undefined {
    const text = this.text(field)?.replaceAll(/\s/g, "");
    if (text === undefined) return undefined;
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return this.#wrong(field, "base64", text);
    return Buffer.from(text, "base64").toString("utf8");
  }

  child(field: string): ConfigReader | undefined {
    const value = this.value(field);
    return value === undefined ? undefined : this.#reader(field, value);
  }

  list(field: string): readonly ConfigReader[] {
    return this.#items(field).map((item, index) => this.#reader(`${field}[${index}]`, item));
  }

  textList(field: string): readonly string[] {
    return this.#items(field).map((item) =>
      typeof item === "string" || typeof item === "number"
        ? String(item)
        : this.#wrong(field, "a list of texts", item),
    );
  }

  texts(field: string): Readonly<Record<string, string>> {
    const child = this.child(field);
    if (child === undefined) return {};
    const pairs = Object.keys(child.#fields).map((key) => [key, child.text(key) ?? ""] as const);
    return Object.fromEntries(pairs);
  }

  textLists(field: string): Readonly<Record<string, readonly string[]>> {
    const child = this.child(field);
    if (child === undefined) return {};
    return Object.fromEntries(Object.keys(child.#fields).map((key) => [key, child.textList(key)]));
  }

  /** A list of `{name, <content>}` as a map; of the same name the first counts. */
  named<T>(
    field: string,
    content: string,
    read: (entry: ConfigReader, name: string) => T,
  ): ReadonlyMap<string, T> {
    const entries = new Map<string, T>();
    for (const item of this.list(field)) {
      const name = item.text("name") ?? "";
      if (!entries.has(name))
        entries.set(name, read(item.child(content) ?? item.#reader(content, {}), name));
    }
    return entries;
  }

  #items(field: string): readonly unknown[] {
    const value = this.value(field) ?? [];
    return Array.isArray(value) ? value : this.#wrong(field, "a list", value);
  }

  #reader(field: string, value: unknown): ConfigReader {
    return new ConfigReader(this.#file, this.#join(field), value);
  }

  #join(field: string): string {
    return this.#path === "" || field === "" ? `${this.#path}${field}` : `${this.#path}.${field}`;
  }

  /** Names the type that was found, never the value: it may be a secret. */
  #wrong(field: string, wanted: string, found: unknown): never {
    const where = this.#join(field);
    const type =
      found === null
        ? "empty"
        : Array.isArray(found)
          ? "a list"
          : isFields(found)
            ? "a map"
            : `a ${typeof found}`;
    return fail({
      code: "cluster.kubeconfig-broken",
      summary: `the kubeconfig ${this.#file} is broken: ${where === "" ? "the file" : where} should be ${wanted} and is ${type === "a string" && wanted === "base64" ? "not" : type}`,
    });
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
