import { decodeText, encodeText } from "./byte-text.ts";
import { raise } from "./evaluation-error.ts";
import { typeName } from "./operations/type-name.ts";
import { StarlarkDict } from "./values/dict.ts";
import { StarlarkFloat } from "./values/float.ts";
import { intOf } from "./values/int.ts";
import { StarlarkList } from "./values/list.ts";
import type { StarlarkObject, Value } from "./values/value.ts";

/** What JSON and YAML can say. */
export type Data =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Data[]
  | { readonly [key: string]: Data };

/** A whole number becomes an int, any other a float. */
export function valueFromData(data: Data): Value {
  if (data === null || typeof data === "boolean") return data;
  if (typeof data === "string") return encodeText(data);
  if (typeof data === "bigint") return intOf(data);
  if (typeof data === "number") {
    return Number.isSafeInteger(data) ? data + 0 : new StarlarkFloat(data);
  }
  if (Array.isArray(data)) return new StarlarkList(data.map(valueFromData));
  const entries = Object.entries(data as { readonly [key: string]: Data });
  return new StarlarkDict(entries.map(([key, value]) => [encodeText(key), valueFromData(value)]));
}

/**
 * Dicts must have strings as keys; ints beyond what is exact become bigints. What a program holds
 * once may come out many times, so `onValue` is told of each value and may refuse by throwing.
 */
export function dataFromValue(value: Value, onValue: () => void = () => undefined): Data {
  return convert(value, { path: [], onValue });
}

interface Conversion {
  /** The containers around the value; one array, because programs make large data. */
  readonly path: Value[];
  readonly onValue: () => void;
}

function convert(value: Value, conversion: Conversion): Data {
  conversion.onValue();
  const { path } = conversion;
  if (typeof value === "string") return decodeText(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof StarlarkFloat) return value.number;
  if (path.includes(value)) raise(`${value.typeName} contains itself`);
  path.push(value);
  const data =
    value instanceof StarlarkDict
      ? convertDict(value, conversion)
      : convertItems(value, conversion);
  path.pop();
  return data;
}

function convertDict(dict: StarlarkDict, conversion: Conversion): Data {
  const data: Record<string, Data> = {};
  dict.forEach((key, item) => {
    if (typeof key !== "string") raise(`dict has ${typeName(key)} key, want string`);
    const name = decodeText(key);
    const converted = convert(item, conversion);
    // Assigned, this one name would change what the object is.
    if (name === "__proto__") {
      Object.defineProperty(data, name, {
        value: converted,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    } else data[name] = converted;
  });
  return data;
}

function convertItems(value: StarlarkObject, conversion: Conversion): Data {
  const iterator = value.iterate();
  if (iterator === undefined) raise(`cannot convert ${value.typeName} to data`);
  const items: Data[] = [];
  try {
    for (let item = iterator.next(); item !== undefined; item = iterator.next()) {
      items.push(convert(item, conversion));
    }
  } finally {
    iterator.done();
  }
  return items;
}
