import { asByteText, type ByteText } from "../byte-text.ts";
import { LimitError } from "../evaluation-error.ts";
import { quote } from "../quote.ts";
import type { StarlarkObject, Value } from "../values/value.ts";

/** A value as `repr` gives it, in bytes. */
export function show(value: Value, path: readonly StarlarkObject[] = []): ByteText {
  try {
    return asByteText(showBytes(value, path));
  } catch (error) {
    if (!(error instanceof RangeError) || !error.message.includes("string length")) throw error;
    throw new LimitError("Starlark computation cancelled: too much memory (one text)");
  }
}

/** A value as `str` gives it: a string stands for itself. */
export function display(value: Value): ByteText {
  return typeof value === "string" ? value : show(value);
}

function showBytes(value: Value, path: readonly StarlarkObject[]): string {
  if (value === null) return "None";
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "object" ? value.show(path) : String(value);
}
