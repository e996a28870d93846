/** Floats as Go's `strconv` writes them: shortest form, or six digits rounded half to even. */

/** The shortest digits that read back the same; beyond six places an exponent is written. */
export function formatShortest(number: number, letter: "g" | "G"): string {
  if (!Number.isFinite(number)) return formatNonFinite(number);
  if (Object.is(number, -0)) return "-0.0";
  const [mantissa = "0", power = "0"] = number.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    const text = `${mantissa}${formatExponent(exponent)}`;
    return letter === "G" ? text.toUpperCase() : text;
  }
  const plain = String(number);
  return plain.includes(".") ? plain : `${plain}.0`;
}

/** `%e` and `%f`: six digits behind the point. */
export function formatSixDigits(number: number, letter: "e" | "E" | "f" | "F"): string {
  if (!Number.isFinite(number)) return formatNonFinite(number);
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const { digits, point } = exactDecimal(Math.abs(number));
  if (letter === "f" || letter === "F") {
    const fixed = roundDigits(digits, point + 6);
    const at = point + (fixed.carried ? 1 : 0);
    const whole = at > 0 ? fixed.digits.slice(0, at) : "0";
    const fraction = at > 0 ? fixed.digits.slice(at) : "0".repeat(-at) + fixed.digits;
    return `${sign}${whole}.${fraction.padEnd(6, "0").slice(0, 6)}`;
  }
  const scientific = roundDigits(digits, 7);
  const padded = scientific.digits.padEnd(7, "0");
  const exponent = number === 0 ? 0 : point - 1 + (scientific.carried ? 1 : 0);
  const text = `${sign}${padded.slice(0, 1)}.${padded.slice(1, 7)}${formatExponent(exponent)}`;
  return letter === "E" ? text.toUpperCase() : text;
}

function formatNonFinite(number: number): string {
  if (Number.isNaN(number)) return "nan";
  return number > 0 ? "+inf" : "-inf";
}

function formatExponent(exponent: number): string {
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return `e${exponent < 0 ? "-" : "+"}${digits}`;
}

/** All decimal digits of a float; the point stands before digit number `point`. */
function exactDecimal(number: number): { readonly digits: string; readonly point: number } {
  if (number === 0) return { digits: "", point: 0 };
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const power = (biased === 0 ? 1 : biased) - 1075;
  if (power >= 0) {
    const digits = String(mantissa << BigInt(power));
    return { digits, point: digits.length };
  }
  const digits = String(mantissa * 5n ** BigInt(-power));
  return { digits, point: digits.length + power };
}

/** Keeps the first `count` digits, rounded half to even. */
function roundDigits(
  digits: string,
  count: number,
): { readonly digits: string; readonly carried: boolean } {
  if (count < 0) return { digits: "", carried: false };
  if (count >= digits.length) return { digits, carried: false };
  const kept = digits.slice(0, count);
  const dropped = digits.slice(count);
  const half = `5${"0".repeat(dropped.length - 1)}`;
  const isOdd = count > 0 && Number(kept.at(-1)) % 2 === 1;
  if (dropped < half || (dropped === half && !isOdd)) return { digits: kept, carried: false };
  const rounded = String(BigInt(kept === "" ? "0" : kept) + 1n).padStart(count, "0");
  return { digits: rounded, carried: rounded.length > count };
}
