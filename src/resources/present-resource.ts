import { inspect } from "node:util";
import type { JsonValue } from "../json/index.ts";
import {
  acceptProvisioned,
  isOwn,
  isProvisioned,
  isProvisionedMarker,
  resourceHandle,
} from "./provisioned/index.ts";
import { currentRun } from "./evaluation-run.ts";
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
  Object.defineProperty(target, resourceHandle, { value: record });
  Object.defineProperty(target, inspect.custom, { value: () => record.label });
  const methods = new Map<object, unknown>();
  return new Proxy(target, {
    get: (fields, key, receiver) => {
      if (typeof key === "string" && !(key in fields)) return readField(record, key, known);
      const value: unknown = Reflect.get(fields, key, receiver);
      if (typeof value !== "function" || key === "constructor") return value;
      if (isProvisioned(value) || Object.hasOwn(fields, key)) return value;
      // The same method is the same value, as it is for ordinary instances.
      const method = methods.get(value) ?? insideOf(record, value);
      methods.set(value, method);
      return method;
    },
    defineProperty: (fields, key, descriptor) => {
      if (typeof key === "string" && isProvisionedMarker(descriptor.value)) {
        checkProvider(record);
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

/** A method of the resource's class: what it allocates is allocated by the resource. */
function insideOf(record: ResourceRecord, method: object): unknown {
  const inside = new Proxy(method as () => unknown, {
    apply: (called, self, args) =>
      currentRun().inside(record, () => Reflect.apply(called, self, args)),
  });
  if (isOwn(method)) acceptProvisioned(inside);
  return inside;
}

/** Reported for the first field only: the others have the same reason. */
function checkProvider({ kind, type, label, package: name, source }: ResourceRecord): void {
  const run = currentRun();
  if (kind !== "composite" || run.withoutProvider.has(type)) return;
  run.withoutProvider.add(type);
  run.report({
    code: "program.provider-missing",
    severity: "error",
    summary: `${label} has properties that a provider fills in, but the package ${name} has no provider`,
    detail: `"keelson": { "provider": … } was looked for in ${run.settings.manifestOf(name)}.`,
    hint: 'Declare it there: "keelson": { "provider": "./provider.js" }',
    source,
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
