/** Fields of objects as cells need them: by dotted path, with Go's zero value for what is not there. */
export type Fields = Readonly<Record<string, unknown>>;

export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const word of path.split(".")) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Fields)[word];
  }
  return current ?? undefined;
}

export function textIn(value: unknown, path: string): string {
  const found = at(value, path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

/** The text at a path, or other text where there is none. */
export function textOr(value: unknown, path: string, otherwise: string): string {
  const text = textIn(value, path);
  return text === "" ? otherwise : text;
}

export function numberAt(value: unknown, path: string): number | bigint {
  const found = at(value, path);
  return typeof found === "number" || typeof found === "bigint" ? found : 0;
}

export function booleanAt(value: unknown, path: string): boolean {
  return at(value, path) === true;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

export function recordAt(value: unknown, path: string): Fields {
  const found = at(value, path);
  return typeof found === "object" && found !== null ? (found as Fields) : {};
}

/** The status of a condition: `True`, `False`, `Unknown`, or undefined where it is not there. */
export function conditionAt(value: unknown, path: string, type: string): string | undefined {
  const found = listAt(value, path).find((each) => textIn(each, "type") === type);
  return found === undefined ? undefined : textIn(found, "status");
}
