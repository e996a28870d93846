import { asByteText } from "../byte-text.ts";
import { raise } from "../evaluation-error.ts";
import { StarlarkDict } from "../values/dict.ts";
import { isInt, isInt32 } from "../values/int.ts";
import { sliceBytes } from "../values/slice-items.ts";
import { StarlarkObject, type Value } from "../values/value.ts";
import { lengthOf } from "./iterate.ts";
import { show } from "./show.ts";
import { typeName } from "./type-name.ts";

/** `operand[index]` */
export function elementOf(operand: Value, index: Value): Value {
  if (operand instanceof StarlarkDict) {
    const value = operand.get(index);
    return value === undefined ? raise(`key ${show(index)} not in dict`) : value;
  }
  if (typeof operand === "string") {
    const at = resolveIndex(operand, index, "string index: ");
    return asByteText(operand.charAt(at));
  }
  const element =
    operand instanceof StarlarkObject && operand.isIndexable
      ? operand.elementAt(resolveIndex(operand, index, `${operand.typeName} index: `))
      : undefined;
  if (element !== undefined) return element;
  raise(`unhandled index operation ${typeName(operand)}[${typeName(index)}]`);
}

/** `operand[index] = value` */
export function setElement(operand: Value, index: Value, value: Value): void {
  if (operand instanceof StarlarkDict) operand.set(index, value);
  else if (operand instanceof StarlarkObject && operand.isIndexable && canSet(operand.typeName)) {
    operand.setElement(resolveIndex(operand, index, ""), value);
  } else raise(`${typeName(operand)} value does not support item assignment`);
}

function canSet(type: string): boolean {
  return !["tuple", "range", "bytes", "string.elems"].includes(type);
}

function resolveIndex(operand: Value, index: Value, prefix: string): number {
  const at = asInt32(index, prefix);
  const length = lengthOf(operand);
  const fromStart = at < 0 ? at + length : at;
  if (fromStart < 0 || fromStart >= length) raise(outOfRange(operand, at));
  return fromStart;
}

export function outOfRange(operand: Value, index: number): string {
  const length = lengthOf(operand);
  const type = typeName(operand);
  if (length === 0) return `index ${index} out of range: empty ${type}`;
  return `${type} index ${index} out of range [${-length}:${length - 1}]`;
}

/** An int of at most 32 bits, as indices and counts are. */
export function asInt32(value: Value, prefix = ""): number {
  if (!isInt(value)) raise(`${prefix}got ${typeName(value)}, want int`);
  if (!isInt32(value)) raise(`${prefix}${value} out of range`);
  return value;
}

/** `operand[low:high:step]`; null stands for what is left out. */
export function sliceOf(operand: Value, low: Value, high: Value, step: Value): Value {
  const length = lengthOf(operand);
  const isSliceable =
    typeof operand === "string" ||
    (operand instanceof StarlarkObject &&
      operand.isIndexable &&
      operand.typeName !== "string.elems");
  if (!isSliceable) raise(`invalid slice operand ${typeName(operand)}`);
  const stride = step === null ? 1 : asInt32(step, "invalid slice step: ");
  if (stride === 0) raise("zero is not a valid slice step");
  const { start, end } = stride > 0 ? bounds(low, high, length) : backwards(low, high, length);
  if (typeof operand === "string") return asByteText(sliceBytes(operand, start, end, stride));
  return operand.slice(start, end, stride) ?? raise(`invalid slice operand ${typeName(operand)}`);
}

function backwards(low: Value, high: Value, length: number): { start: number; end: number } {
  const from = boundary(low, length, length - 1, "invalid start index: ");
  const start = Math.min(from, length - 1);
  const end = Math.max(boundary(high, length, -1, "invalid end index: "), -1);
  return { start: Math.max(start, end), end };
}

/** The part of a sequence between two indices that may be left out, negative or too large. */
export function bounds(low: Value, high: Value, length: number): { start: number; end: number } {
  const start = clamp(boundary(low, length, 0, "invalid start index: "), length);
  const end = clamp(boundary(high, length, length, "invalid end index: "), length);
  return { start, end: Math.max(start, end) };
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length);
}

function boundary(value: Value, length: number, missing: number, prefix: string): number {
  if (value === null) return missing;
  const index = asInt32(value, prefix);
  return index < 0 ? index + length : index;
}
