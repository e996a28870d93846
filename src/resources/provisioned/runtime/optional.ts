import type { ModuleReference } from "../place.ts";
import type { method } from "./call.ts";
import { check } from "./check.ts";

type Method = ReturnType<typeof method>;

/** `value?.…`, with the rest of the chain as a function. */
export function optional(
  value: unknown,
  start: number,
  end: number,
  module: ModuleReference,
  rest: (value: unknown) => unknown,
): unknown {
  check(value, "optional", start, end, module);
  return value === null || value === undefined ? undefined : rest(value);
}

/**
 * `object.method?.(…)`, with the call and the rest of the chain as a function. There is no method
 * when the chain has ended before.
 */
export function optionalMethod(
  method: Method | undefined,
  start: number,
  end: number,
  module: ModuleReference,
  rest: (method: Method) => unknown,
): unknown {
  const target = check(method?.target, "optional", start, end, module);
  return method === undefined || target === null || target === undefined ? undefined : rest(method);
}
