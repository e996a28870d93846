import { isJsonObject, type JsonValue, stringifyJson } from "../json/index.ts";

/** One field that changes; without `before` it is new, without `after` it goes. */
export interface FieldChange {
  readonly path: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}

/** What differs between two objects, field by field; items of lists are matched by their name. */
export function fieldDiff(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = "",
): readonly FieldChange[] {
  if (before === undefined && after === undefined) return [];
  if (before !== undefined && after !== undefined && stringifyJson(before) === stringifyJson(after))
    return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) =>
      fieldDiff(own(before, key), own(after, key), `${path}${step(key)}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDiff(before, after, path);
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

function listDiff(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
): readonly FieldChange[] {
  const nameOf = (value: JsonValue): string | undefined => {
    const name = isJsonObject(value) ? value["name"] : undefined;
    return typeof name === "string" ? name : undefined;
  };
  const isNamed = [...before, ...after].every((value) => nameOf(value) !== undefined);
  if (!isNamed) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      fieldDiff(before[index], after[index], `${path}[${index}]`),
    ).flat();
  }
  const byName = (list: readonly JsonValue[]): ReadonlyMap<string, JsonValue> =>
    new Map(list.map((value) => [nameOf(value) ?? "", value]));
  const old = byName(before);
  const fresh = byName(after);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name) =>
    fieldDiff(old.get(name), fresh.get(name), `${path}[name=${name}]`),
  );
}

function own(object: Readonly<Record<string, JsonValue>>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function step(key: string): string {
  return /^[A-Za-z_][-\w]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
