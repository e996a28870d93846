import { setField } from "../json/index.ts";
import { recordOf } from "./resource-record.ts";

const deepest = 100;

/**
 * Copies the plain objects and lists of properties, so that what the program does to them after the
 * allocation changes nothing. Everything else, such as resources, is kept as it is.
 */
export function snapshotProperties(
  props: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return copy(props, new Map(), 0) as Readonly<Record<string, unknown>>;
}

function copy(value: unknown, copies: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > deepest) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(copy(item, copies, depth + 1));
    return list;
  }
  if (recordOf(value) !== undefined || (depth > 0 && !isPlainObject(value))) return value;
  const made: Record<string, unknown> = {};
  copies.set(value, made);
  for (const [key, inner] of Object.entries(value))
    setField(made, key, copy(inner, copies, depth + 1));
  return made;
}

/** Object literals, but no instances of classes. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
