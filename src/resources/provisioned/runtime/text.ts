import { deferredOf, isProvisioned } from "../deferred.ts";
import type { ModuleReference } from "../place.ts";
import { makeDeferred } from "../provisioned-value.ts";
import { refuse, uses } from "./check.ts";

/** One value inside a template string: text at once, as the language does it, or left for later. */
export function textPart(value: unknown): unknown {
  if (isProvisioned(value)) return value;
  // Neither String() nor a sum converts as a template does.
  // oxlint-disable-next-line typescript/no-unnecessary-template-expression
  return `${value as string}`;
}

/** A template string: ordinary text, or a deferred one when a part is not known yet. */
export function text(...parts: readonly unknown[]): unknown {
  let known = "";
  for (const part of parts) {
    if (isProvisioned(part)) return makeDeferred({ kind: "text", parts: parts.map(textPart) });
    known = `${known}${part as string}`;
  }
  return known;
}

/** The `+` of two values: joined text may hold provisioned values, a sum may not. */
export function add(
  left: unknown,
  right: unknown,
  start: number,
  end: number,
  module: ModuleReference,
): unknown {
  if (typeof left !== "function" && typeof right !== "function") {
    return (left as string) + (right as string);
  }
  const isLeft = isProvisioned(left);
  const isRight = isProvisioned(right);
  if (!isLeft && !isRight) return (left as string) + (right as string);
  if (isLeft && isRight) return makeDeferred({ kind: "sum", left, right });
  const [unknown, other] = isLeft ? [left, right] : [right, left];
  if (typeof other !== "string" && !isText(unknown)) {
    refuse(unknown, uses.arithmetic, { module, start, end });
  }
  return makeDeferred({ kind: "text", parts: [textPart(left), textPart(right)] });
}

function isText(value: unknown): boolean {
  return deferredOf(value)?.kind === "text";
}
