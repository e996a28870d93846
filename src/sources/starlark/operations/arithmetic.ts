import { raise } from "../evaluation-error.ts";
import type { Meter } from "../limits.ts";
import { StarlarkFloat } from "../values/float.ts";
import { finiteFloat, intOf, isInt, isInt32 } from "../values/int.ts";
import type { Value } from "../values/value.ts";
import { bigintBytes } from "./size.ts";
import { typeName } from "./type-name.ts";

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "//" | "%" | "&" | "|" | "^";
type FloatOperator = Exclude<ArithmeticOperator, "&" | "|" | "^">;

const largestShift = 512;
/** Ints beyond this would stall the program in one single operation. */
const largestIntBytes = 4 * 1024 * 1024;

/** Operations on ints and floats; undefined for operands that are neither. */
export function arithmetic(
  meter: Meter,
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
): Value | undefined {
  if (isInt(left) && isInt(right)) {
    if (operator === "/") return divide(finiteFloat(left), finiteFloat(right));
    return intArithmetic(meter, operator, left, right);
  }
  if (operator === "&" || operator === "|" || operator === "^") return undefined;
  const x = floatOperand(left, operator === "/");
  const y = floatOperand(right, false);
  if (x === undefined || y === undefined) return undefined;
  return new StarlarkFloat(floatArithmetic(operator, x, y));
}

function floatOperand(value: Value, _isDividend: boolean): number | undefined {
  if (value instanceof StarlarkFloat) return value.number;
  return isInt(value) ? finiteFloat(value) : undefined;
}

function divide(x: number, y: number): StarlarkFloat {
  if (y === 0) raise("floating-point division by zero");
  return new StarlarkFloat(x / y);
}

function floatArithmetic(operator: FloatOperator, x: number, y: number): number {
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      if (y === 0) raise("floating-point division by zero");
      return x / y;
    case "//":
      if (y === 0) raise("floored division by zero");
      return Math.floor(x / y);
    case "%": {
      if (y === 0) raise("floating-point modulo by zero");
      const remainder = x % y;
      return x < 0 !== y < 0 && remainder !== 0 ? remainder + y : remainder;
    }
  }
}

function intArithmetic(
  meter: Meter,
  operator: Exclude<ArithmeticOperator, "/">,
  left: number | bigint,
  right: number | bigint,
): number | bigint {
  if (typeof left === "number" && typeof right === "number") {
    const result = smallArithmetic(operator, left, right);
    // Adding zero turns -0, which no int is, into 0.
    if (Number.isSafeInteger(result)) return result + 0;
  }
  const result = bigArithmetic(operator, BigInt(left), BigInt(right));
  return checkSize(meter, result);
}

/** NaN where the fast way would not be exact. */
function smallArithmetic(
  operator: Exclude<ArithmeticOperator, "/">,
  left: number,
  right: number,
): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "//": {
      if (right === 0) raise("floored division by zero");
      const remainder = left % right;
      const quotient = (left - remainder) / right;
      return remainder !== 0 && left < 0 !== right < 0 ? quotient - 1 : quotient;
    }
    case "%": {
      if (right === 0) raise("integer modulo by zero");
      const remainder = left % right;
      return remainder !== 0 && left < 0 !== right < 0 ? remainder + right : remainder;
    }
    case "&":
      return isInt32(left) && isInt32(right) ? left & right : Number.NaN;
    case "|":
      return isInt32(left) && isInt32(right) ? left | right : Number.NaN;
    case "^":
      return isInt32(left) && isInt32(right) ? left ^ right : Number.NaN;
  }
}

function bigArithmetic(
  operator: Exclude<ArithmeticOperator, "/">,
  left: bigint,
  right: bigint,
): bigint {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "//": {
      if (right === 0n) raise("floored division by zero");
      const quotient = left / right;
      return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
    }
    case "%": {
      if (right === 0n) raise("integer modulo by zero");
      const remainder = left % right;
      return remainder !== 0n && left < 0n !== right < 0n ? remainder + right : remainder;
    }
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
  }
}

/** Large results count as steps too, as one operation on them takes as long as many. */
function checkSize(meter: Meter, int: bigint): number | bigint {
  const result = intOf(int);
  if (typeof result === "number") return result;
  const bytes = bigintBytes(result);
  if (bytes > largestIntBytes) raise("integer too large");
  meter.allocate(bytes);
  meter.step(bytes >> 6);
  return result;
}

export function shift(
  meter: Meter,
  operator: "<<" | ">>",
  left: number | bigint,
  right: Value,
): Value {
  if (!isInt(right)) raise(`got ${typeName(right)}, want int`);
  if (!isInt32(right)) raise(`${right} out of range`);
  if (right < 0) raise(`negative shift count: ${right}`);
  if (operator === ">>") return intOf(BigInt(left) >> BigInt(right));
  if (right >= largestShift) raise(`shift count too large: ${right}`);
  return checkSize(meter, BigInt(left) << BigInt(right));
}
