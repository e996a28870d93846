import { isJsonObject, type JsonValue } from "../../json/index.ts";

/** A value as Go's `%v` prints it: maps as `map[a:1 b:2]`, lists as `[1 2]`. */
export function goText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `map[${fields.map(([key, each]) => `${key}:${goText(each)}`).join(" ")}]`;
}
