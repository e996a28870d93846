import { anyValue, unpackPositional, type Convert } from "../arguments.ts";
import { raise } from "../evaluation-error.ts";
import { toInt } from "../operations/convert-int.ts";
import { typeName } from "../operations/type-name.ts";
import { StarlarkBuiltin, type BuiltinCode } from "../values/callable.ts";
import { StarlarkFloat } from "../values/float.ts";
import { isInt } from "../values/int.ts";
import { StarlarkModule } from "../values/struct.ts";
import type { Value } from "../values/value.ts";

const number: Convert<number> = (value) => {
  if (value instanceof StarlarkFloat) return value.number;
  return isInt(value) ? Number(value) : raise(`got ${typeName(value)}, want float or int`);
};

const unaryFunctions: Readonly<Record<string, (x: number) => number>> = {
  fabs: Math.abs,
  round: (x) => (Math.abs(x % 1) === 0.5 ? Math.trunc(x) + Math.sign(x) : Math.round(x)),
  exp: Math.exp,
  sqrt: Math.sqrt,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  cos: Math.cos,
  sin: Math.sin,
  tan: Math.tan,
  degrees: (x) => (360 * x) / (2 * Math.PI),
  radians: (x) => (2 * Math.PI * x) / 360,
  acosh: Math.acosh,
  asinh: Math.asinh,
  atanh: Math.atanh,
  cosh: Math.cosh,
  sinh: Math.sinh,
  tanh: Math.tanh,
  gamma,
};

const binaryFunctions: Readonly<Record<string, (x: number, y: number) => number>> = {
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  mod: (x, y) => x % y,
  pow: Math.pow,
  remainder: ieeeRemainder,
  atan2: Math.atan2,
  hypot: Math.hypot,
};

function rounding(round: (x: number) => number): BuiltinCode {
  return (_thread, args, keywords, name) => {
    const [x] = unpackPositional(name, args, keywords, [anyValue]);
    if (isInt(x)) return x;
    if (!(x instanceof StarlarkFloat)) raise(`got ${typeName(x)}, want float or int`);
    return toInt(new StarlarkFloat(round(x.number)));
  };
}

const log: BuiltinCode = (_thread, args, keywords, name) => {
  const [x, base = Math.E] = unpackPositional(name, args, keywords, [number], [number]);
  if (base === 1) raise("division by zero");
  return new StarlarkFloat(Math.log(x) / Math.log(base));
};

function members(): Readonly<Record<string, Value>> {
  const functions: Record<string, BuiltinCode> = {
    ceil: rounding(Math.ceil),
    floor: rounding(Math.floor),
    log,
  };
  for (const [name, compute] of Object.entries(unaryFunctions)) {
    functions[name] = (_thread, args, keywords) =>
      new StarlarkFloat(compute(unpackPositional(name, args, keywords, [number])[0]));
  }
  for (const [name, compute] of Object.entries(binaryFunctions)) {
    functions[name] = (_thread, args, keywords) =>
      new StarlarkFloat(compute(...unpackPositional(name, args, keywords, [number, number])));
  }
  const builtins = Object.entries(functions).map(
    ([name, code]) => [name, new StarlarkBuiltin(name, code)] as const,
  );
  return {
    ...Object.fromEntries(builtins),
    e: new StarlarkFloat(Math.E),
    pi: new StarlarkFloat(Math.PI),
  };
}

/** The `math` module of go.starlark.net. The last digit of a result may differ from Go's. */
export const mathModule: Value = new StarlarkModule("math", members());

/** The remainder nearest to zero; halfway, that of the even quotient. */
function ieeeRemainder(x: number, y: number): number {
  if (!Number.isFinite(x) || Number.isNaN(y) || y === 0) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  let remainder = Math.abs(x) % (2 * size);
  if (2 * remainder > size) {
    remainder -= size;
    if (2 * remainder >= size) remainder -= size;
  }
  return x < 0 ? -remainder : remainder;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** Whole numbers give exact factorials, others Lanczos' approximation. */
function gamma(x: number): number {
  if (x === -Infinity || (Number.isInteger(x) && x < 0)) return Number.NaN;
  if (x === 0) return Object.is(x, -0) ? -Infinity : Infinity;
  if (Number.isInteger(x) && x <= 171) {
    let product = 1;
    for (let factor = 2; factor < x; factor++) product *= factor;
    return product;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const [first = 0, ...rest] = lanczos;
  const base = x - 1;
  const sum = rest.reduce((total, factor, index) => total + factor / (base + index + 1), first);
  const shifted = base + 7.5;
  return Math.sqrt(2 * Math.PI) * shifted ** (base + 0.5) * Math.exp(-shifted) * sum;
}
