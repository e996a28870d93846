import {
  deferredOf,
  handleOf,
  isProvisioned,
  originsOf,
  previewDeferred,
} from "./provisioned/index.ts";
import type { DeferredJson, DeferredValue } from "./program-graph.ts";
import { recordOf } from "./resource-record.ts";
import { isPlainObject } from "./snapshot-properties.ts";

/** Numbers the values of one evaluation that are not known yet, so that they can be asked for. */
export class DeferredValues {
  readonly #values: unknown[] = [];

  /** Puts a value into words and under a number. */
  defer(value: unknown): DeferredValue {
    const from = originsOf(value).map(({ resource, path }) => ({ resource: resource.name, path }));
    return { $deferred: this.#values.push(value) - 1, from, text: textOf(value) };
  }

  at(index: number): unknown {
    return this.#values[index];
  }
}

function textOf(value: unknown): string {
  const deferred = deferredOf(value);
  return deferred === undefined ? (handleOf(value)?.label ?? "") : previewDeferred(deferred);
}

/** A place in properties whose value has no form as data. */
export interface UnfitValue {
  readonly at: string;
  readonly problem: string;
}

/**
 * Turns properties into JSON, with a stand-in for each value that is not known yet. A whole resource
 * stands for its outputs, which have no place in an object of Kubernetes.
 */
export function deferredJson(
  value: unknown,
  deferred: DeferredValues,
  unfit: UnfitValue[],
  takesResources: boolean,
): DeferredJson {
  const open = new Set<object>();
  const refuse = (at: string, problem: string): undefined => {
    unfit.push({ at, problem });
    return undefined;
  };
  const convert = (item: unknown, at: string): DeferredJson | undefined => {
    if (isProvisioned(item)) return deferred.defer(item);
    switch (typeof item) {
      case "string":
      case "boolean":
      case "bigint":
        return item;
      case "number":
        return Number.isFinite(item) ? item : refuse(at, `is ${item}`);
      case "undefined":
        return undefined;
      case "function":
      case "symbol":
        return refuse(at, `is a ${typeof item}`);
      case "object":
        return item === null ? null : convertObject(item, at);
    }
  };
  const convertObject = (item: object, at: string): DeferredJson | undefined => {
    if (recordOf(item) !== undefined) {
      return takesResources ? deferred.defer(item) : refuse(at, "is a whole resource");
    }
    if (open.has(item)) return refuse(at, "holds itself");
    if (item instanceof Date) return item.toISOString();
    open.add(item);
    try {
      if (Array.isArray(item)) {
        return item.map((inner, index) => convert(inner, `${at}[${index}]`) ?? null);
      }
      if (!isPlainObject(item)) return refuse(at, `is a ${item.constructor.name}`);
      const entries = Object.entries(item).flatMap(([key, inner]) => {
        const converted = convert(inner, at === "" ? key : `${at}.${key}`);
        return converted === undefined ? [] : [[key, converted] as const];
      });
      return Object.fromEntries(entries);
    } finally {
      open.delete(item);
    }
  };
  return convert(value, "") ?? {};
}
