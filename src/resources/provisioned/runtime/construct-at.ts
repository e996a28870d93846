import type { ModuleReference } from "../place.ts";
import { construct, siteOf } from "./construct.ts";

/** What a rewritten `new` calls. */
export function constructAt(
  target: unknown,
  args: readonly unknown[],
  line: number,
  column: number,
  className: string | undefined,
  _start: number,
  _end: number,
  module: ModuleReference,
): unknown {
  return construct(target, args, siteOf(module, line, column, className));
}
