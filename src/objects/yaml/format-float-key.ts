/**
 * A float that stands as a mapping key, as the text kubectl makes of it: the shortest digits that
 * give the same 32-bit float, with an exponent when it is below -4 or above 5.
 */
export function formatFloatKey(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  const single = Math.fround(value);
  if (single === Infinity) return ".inf";
  if (single === -Infinity) return "-.inf";
  if (single === 0) return "0";
  const [mantissa, exponent] = shortestSingle(single);
  const digits = mantissa.replace(/[-.]/g, "");
  const sign = single < 0 ? "-" : "";
  if (exponent < -4 || exponent > 5) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits[0] ?? "0"}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return `${sign}${whole}${rest === "" ? "" : `.${rest}`}`;
}

const mostSingleDigits = 9;

function shortestSingle(single: number): readonly [mantissa: string, exponent: number] {
  for (let digits = 1; digits <= mostSingleDigits; digits++) {
    const text = single.toExponential(digits - 1);
    if (Math.fround(Number(text)) === single) return splitExponent(text);
  }
  return splitExponent(single.toExponential(mostSingleDigits - 1));
}

function splitExponent(text: string): readonly [mantissa: string, exponent: number] {
  const [mantissa = "0", exponent = "0"] = text.split("e");
  return [mantissa, Number(exponent)];
}
