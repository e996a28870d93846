import { registerClass } from "../../type-token.ts";
import type { ClassValue } from "../../type-token.ts";
import type { ModuleReference } from "../place.ts";

/** What a rewritten class calls when it is defined. */
export function defineClass(
  value: ClassValue,
  name: string | undefined,
  module: ModuleReference,
): void {
  registerClass(value, module().token, name ?? value.name);
}
