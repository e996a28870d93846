import type { Schema } from "../schema/index.ts";
import { isProvisioned } from "./provisioned/index.ts";
import { recordOf } from "./resource-record.ts";
import type { ResourceRecord } from "./resource-record.ts";

export interface ViewPlace {
  readonly record: ResourceRecord;
  readonly path: readonly (string | number)[];
  readonly readUnset: (path: readonly (string | number)[]) => unknown;
  /** Told of each text that the program set and now reads. */
  readonly onRead: (path: readonly (string | number)[], text: string) => void;
}

const places = new WeakMap<object, ViewPlace>();

/** The resource and the path that a view was read from. */
export function viewPlace(value: object): ViewPlace | undefined {
  return places.get(value);
}

/**
 * A value of an object as the program reads it: what it set is plain, and fields of the schema that
 * it did not set are provisioned. Without a schema every field may be filled in.
 */
export function objectView(value: unknown, schema: Schema | undefined, place: ViewPlace): unknown {
  if (value === undefined) return place.readUnset(place.path);
  if (typeof value === "string") place.onRead(place.path, value);
  if (typeof value !== "object" || value === null) return value;
  if (isProvisioned(value) || recordOf(value) !== undefined) return value;
  const view: object = new Proxy(value, {
    get: (target, key, receiver) => {
      if (typeof key === "symbol" || key in target) {
        const inner: unknown = Reflect.get(target, key, receiver);
        if (typeof key === "symbol" || typeof inner === "function") return inner;
        return Object.hasOwn(target, key)
          ? childView(inner, schema, key, place, Array.isArray(target))
          : inner;
      }
      if (key === "then" || key === "toJSON" || Array.isArray(target)) return undefined;
      return isField(schema, key) ? place.readUnset([...place.path, key]) : undefined;
    },
    set: (_, key) => refuseChange(place, key),
    defineProperty: (_, key) => refuseChange(place, key),
    deleteProperty: (_, key) => refuseChange(place, key),
  });
  places.set(view, place);
  return view;
}

/** A change after the allocation would be lost, since the properties were taken then. */
function refuseChange({ record, path }: ViewPlace, key: string | symbol): never {
  throw new TypeError(
    `${record.label}.${[...path, String(key)].join(".")} cannot be changed after the resource is allocated`,
  );
}

function childView(
  value: unknown,
  schema: Schema | undefined,
  key: string,
  place: ViewPlace,
  isItem: boolean,
): unknown {
  if (value === undefined && !isField(schema, key)) return undefined;
  if (isItem && !/^\d+$/.test(key)) return value;
  const child = isItem ? schema?.items : fieldSchema(schema, key);
  return objectView(value, child, { ...place, path: [...place.path, isItem ? Number(key) : key] });
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const field = schema?.properties?.get(key);
  if (field !== undefined) return field;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** A key that a map does not have is simply not there; a field of a structure is filled in. */
function isField(schema: Schema | undefined, key: string): boolean {
  if (schema === undefined) return true;
  if (schema.properties !== undefined) return schema.properties.has(key);
  return false;
}
