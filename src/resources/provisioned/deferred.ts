import type { Origin } from "./origin.ts";

/** How a value that is not known yet will be computed once its resources are applied. */
export type Deferred =
  | { readonly kind: "property"; readonly origin: Origin }
  | { readonly kind: "member"; readonly of: Deferred; readonly key: string }
  | { readonly kind: "text"; readonly parts: readonly unknown[] }
  | { readonly kind: "sum"; readonly left: unknown; readonly right: unknown }
  | { readonly kind: "map"; readonly of: unknown; readonly compute: (value: never) => unknown }
  | {
      readonly kind: "when";
      readonly condition: unknown;
      readonly yes: unknown;
      readonly no: unknown;
    }
  | {
      readonly kind: "each";
      readonly list: unknown;
      readonly compute: (item: never, index: number) => unknown;
    };

/** The values that a deferred value is computed from. */
export function partsOf(deferred: Deferred): readonly unknown[] {
  switch (deferred.kind) {
    case "property":
    case "member":
      return [];
    case "text":
      return deferred.parts;
    case "sum":
      return [deferred.left, deferred.right];
    case "map":
      return [deferred.of];
    case "when":
      return [deferred.condition, deferred.yes, deferred.no];
    case "each":
      return [deferred.list];
  }
}

const deferredValues = new WeakMap<object, Deferred>();

/** Makes a value known as standing for a deferred one. */
export function registerDeferred(value: object, deferred: Deferred): void {
  deferredValues.set(value, deferred);
}

export function deferredOf(value: unknown): Deferred | undefined {
  return typeof value === "function" ? deferredValues.get(value) : undefined;
}

export function isProvisioned(value: unknown): boolean {
  return typeof value === "function" && deferredValues.has(value);
}

/** Under this key the wrapper that `output` gives carries its value. */
export const outputValue: unique symbol = Symbol("output value");

export function isOutput(value: object): value is { readonly [outputValue]: unknown } {
  return outputValue in value;
}
