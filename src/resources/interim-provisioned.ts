import type { JsonValue } from "../objects/index.ts";
export interface ResourceHandle {
  readonly name: string;
  readonly label: string;
}
export interface Origin {
  readonly resource: ResourceHandle;
  readonly path: readonly (string | number)[];
}
const origins = new WeakMap<object, Origin>();
const marker = Symbol("provisioned");
export function provisioned<T>(): T {
  return marker as never;
}
export function isProvisionedMarker(value: unknown): boolean {
  return value === marker;
}
export function makeProvisioned(origin: Origin): unknown {
  const proxy: object = new Proxy((() => undefined) as object, {
    get: (_t, key) =>
      typeof key === "symbol"
        ? undefined
        : makeProvisioned({ resource: origin.resource, path: [...origin.path, key] }),
  });
  origins.set(proxy, origin);
  return proxy;
}
export function isProvisioned(value: unknown): value is object {
  return typeof value === "function" && origins.has(value);
}
export function originsOf(value: unknown): readonly Origin[] {
  const o = origins.get(value as object);
  return o === undefined ? [] : [o];
}
export function resolveValue(value: unknown, lookup: (origin: Origin) => JsonValue): JsonValue {
  return lookup(originsOf(value)[0] as Origin);
}
export function describe(value: unknown): string {
  const o = originsOf(value)[0];
  return o === undefined ? "" : `${o.resource.label}.${o.path.join(".")}`;
}
export function output<T>(x: T): { map: <U>(fn: (v: T) => U) => U } {
  return { map: (fn) => fn(x) };
}
export function when<T>(_c: unknown, a: T, _b: T): T {
  return a;
}
export function each<T, U>(list: readonly T[], fn: (v: T) => U): readonly U[] {
  return list.map(fn);
}
