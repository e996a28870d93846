import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "../json/index.ts";
import { goPathJson } from "./go-json.ts";

/**
 * One step of a path into an object, in the text that managedFields uses: `f:name` a field,
 * `k:{"name":"web"}` the list item with these keys, `v:"a"` the item of a set, `i:0` an index. Equal
 * steps are equal strings, so sets of steps are sets of strings.
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  const known = fieldElements.get(name);
  if (known !== undefined) return known;
  const element = `f:${name}`;
  if (fieldElements.size < mostFieldElements) fieldElements.set(name, element);
  return element;
}

// Schemas have few names and objects many fields: the same text is found faster than an equal one.
const fieldElements = new Map<string, PathElement>();
const mostFieldElements = 10_000;

/** The step to the list item that has these values in its key fields. */
export function keyElement(keys: readonly (readonly [string, JsonValue])[]): PathElement {
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) {
    return `k:{${goPathJson(only[0])}:${goPathJson(only[1])}}`;
  }
  const sorted = [...keys].sort(([left], [right]) => compareText(left, right));
  return `k:{${sorted.map(([name, value]) => `${goPathJson(name)}:${goPathJson(value)}`).join(",")}}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${goPathJson(value)}`;
}

/** The field name of a step, or undefined when it leads into a list. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

export function isKeyElement(element: PathElement): boolean {
  return element.startsWith("k:");
}

/** Brings a step that somebody else wrote into the one form; undefined when it is not one. */
export function readElement(text: string): PathElement | undefined {
  switch (text.slice(0, 2)) {
    case "f:":
    case "i:":
      return text;
    case "k:": {
      const keys = parsedValue(text);
      return isJsonObject(keys) ? keyElement(Object.entries(keys)) : undefined;
    }
    case "v:": {
      const value = parsedValue(text);
      return value === undefined ? undefined : valueElement(value);
    }
    default:
      return undefined;
  }
}

/** The order of the server: fields, then keyed items, then set items, then indexes. */
export function compareElements(left: PathElement, right: PathElement): number {
  const isField = left.startsWith("f:");
  if (isField && right.startsWith("f:")) return compareText(left, right);
  const kind = kindOrder(left) - kindOrder(right);
  if (kind !== 0) return kind;
  if (left.startsWith("i:")) return Number(left.slice(2)) - Number(right.slice(2));
  const leftValue = parsedValue(left);
  const rightValue = parsedValue(right);
  return left.startsWith("k:") && isJsonObject(leftValue) && isJsonObject(rightValue)
    ? compareKeys(leftValue, rightValue)
    : compareScalars(leftValue, rightValue);
}

/** The step as the server shows it in a conflict: `.spec`, `[name="web"]`, `[="a"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const name = fieldNameOf(element);
  if (name !== undefined) return `.${name}`;
  if (element.startsWith("i:")) return `[${element.slice(2)}]`;
  const value = parsedValue(element);
  if (!isKeyElement(element) || !isJsonObject(value)) return `[=${formatScalar(value)}]`;
  const keys = Object.entries(value).map(([key, each]) => `${key}=${formatScalar(each)}`);
  return `[${keys.join(",")}]`;
}

export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join("");
}

const elementKinds = "fkvi";

function kindOrder(element: PathElement): number {
  return elementKinds.indexOf(element.charAt(0));
}

function compareKeys(left: JsonObject, right: JsonObject): number {
  const leftKeys = Object.entries(left);
  const rightKeys = Object.entries(right);
  for (const [index, [name, value]] of leftKeys.entries()) {
    const other = rightKeys[index];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

/** Numbers before strings before booleans, as the server orders values of different types. */
function compareScalars(left: JsonValue | undefined, right: JsonValue | undefined): number {
  const kind = scalarOrder(left) - scalarOrder(right);
  if (kind !== 0) return kind;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  if (left === right) return 0;
  return (left as number) < (right as number) ? -1 : 1;
}

function scalarOrder(value: JsonValue | undefined): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  return typeof value === "boolean" ? 2 : 3;
}

/** By code points, which is the order of UTF-8 bytes. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = codeOrder(left.charCodeAt(index)) - codeOrder(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Halves of pairs stand for code points beyond all others. */
function codeOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function formatScalar(value: JsonValue | undefined): string {
  return value === undefined ? "null" : stringifyJson(value);
}

// Sorting compares the same few steps over and over; the bound keeps odd data from piling up.
const parsed = new Map<PathElement, JsonValue | undefined>();
const parsedLimit = 10_000;

function parsedValue(element: PathElement): JsonValue | undefined {
  if (parsed.has(element)) return parsed.get(element);
  if (parsed.size >= parsedLimit) parsed.clear();
  const value = tryParse(element.slice(2));
  parsed.set(element, value);
  return value;
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
