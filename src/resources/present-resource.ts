import type { JsonValue } from "../objects/index.ts";
import { isProvisionedMarker } from "./interim-provisioned.ts";
import { readField, readUnset } from "./read-field.ts";
import type { ResourceRecord } from "./resource-record.ts";

/**
 * What the program sees as the resource: its own fields and methods, and behind them the properties
 * that it was given and what its provider will fill in.
 */
export function presentResource(
  target: object,
  record: ResourceRecord,
  known: JsonValue | undefined,
): object {
  return new Proxy(target, {
    get: (fields, key, receiver) =>
      typeof key === "symbol" || key in fields
        ? (Reflect.get(fields, key, receiver) as unknown)
        : readField(record, key, known),
    defineProperty: (fields, key, descriptor) => {
      if (typeof key === "string" && isProvisionedMarker(descriptor.value)) {
        const given = record.props[key];
        const value = given === undefined ? readUnset(record, [key], known) : given;
        return Reflect.defineProperty(fields, key, { ...descriptor, value });
      }
      // A field that is declared without a value must not hide what stands behind it.
      if (typeof key === "string" && isBareField(descriptor)) {
        const isKnown = key in fields || readField(record, key, known) !== undefined;
        if (isKnown) return true;
      }
      return Reflect.defineProperty(fields, key, descriptor);
    },
  });
}

function isBareField(descriptor: PropertyDescriptor): boolean {
  return (
    "value" in descriptor &&
    descriptor.value === undefined &&
    descriptor.writable === true &&
    descriptor.enumerable === true &&
    descriptor.configurable === true
  );
}
