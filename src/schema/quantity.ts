/** An exact amount: `digits` × 10^`exponent`, and the notation it was written in. */
interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
  readonly notation: "decimal" | "exponent" | "binary";
  /** The text itself, when the server keeps it because it takes it for canonical. */
  readonly kept?: string;
}

/**
 * The form in which the server stores a quantity: `1000m` becomes `1`, `1024Mi` becomes `1Gi`,
 * `0.5` becomes `500m`. Undefined when the text is no quantity.
 */
export function canonicalQuantity(text: string): string | undefined {
  const quantity = parse(text.trim());
  return quantity === undefined ? undefined : format(quantity);
}

/** As {@link canonicalQuantity}, with parts finer than a thousandth rounded up, as in resource lists. */
export function canonicalResource(text: string): string | undefined {
  const quantity = parse(text.trim());
  if (quantity === undefined) return undefined;
  return format(quantity.exponent >= -3 ? quantity : roundUp(quantity, -3));
}

/** The sign of left − right; undefined when one of them is no quantity. */
export function compareQuantities(left: string, right: string): number | undefined {
  const leftAmount = parse(left.trim());
  const rightAmount = parse(right.trim());
  if (leftAmount === undefined || rightAmount === undefined) return undefined;
  const exponent = Math.min(leftAmount.exponent, rightAmount.exponent);
  const difference = scaled(leftAmount, exponent) - scaled(rightAmount, exponent);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The sum of two quantities, in the notation of the first that is not zero. */
export function addQuantities(left: string, right: string): string {
  return combine(left, right, (one, other) => one + other);
}

/** What is left of a quantity when another is taken from it. */
export function subtractQuantities(left: string, right: string): string {
  return combine(left, right, (one, other) => one - other);
}

function combine(
  left: string,
  right: string,
  operation: (left: bigint, right: bigint) => bigint,
): string {
  const one = parse(left.trim()) ?? nothing;
  const other = parse(right.trim()) ?? nothing;
  const exponent = Math.min(one.exponent, other.exponent);
  const digits = operation(scaled(one, exponent), scaled(other, exponent));
  const { notation } = one.digits === 0n ? other : one;
  return format({ digits, exponent, notation });
}

const nothing: Quantity = { digits: 0n, exponent: 0, notation: "decimal" };

/** The exact amount of a quantity: `digits` × 10^`exponent`. Undefined when the text is none. */
export function readQuantity(
  text: string,
): { readonly digits: bigint; readonly exponent: number } | undefined {
  return parse(text);
}

/** A quantity as a number, which may be less exact. */
export function quantityNumber(text: string): number | undefined {
  const quantity = parse(text.trim());
  return quantity === undefined ? undefined : Number(`${quantity.digits}e${quantity.exponent}`);
}

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([A-Za-z]*|[eE][+-]?\d+)$/;

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const finest = -9;

function parse(text: string): Quantity | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  if (whole === "" && fraction === "") return undefined;
  const unsigned = BigInt(`${whole}${fraction}`);
  const digits = sign === "-" ? -unsigned : unsigned;
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) {
    const amount = digits << BigInt(10 * binary);
    return fromBinary(text, amount, fraction.length, unsigned);
  }
  const decimal = decimalSuffixes[suffix];
  const exponent = decimal ?? (/^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : undefined);
  if (exponent === undefined) return undefined;
  const notation = decimal === undefined ? "exponent" : "decimal";
  const quantity: Quantity = { digits, exponent: exponent - fraction.length, notation };
  const shifted = `${whole}${fraction}`.replace(/^0+/, "");
  const isKept =
    quantity.exponent >= finest &&
    quantity.exponent % 3 === 0 &&
    shifted !== "" &&
    shifted.length <= 18 &&
    !shifted.endsWith("000") &&
    (fraction === "" || whole.replace(/^0+/, "") !== "");
  if (text === "0" || isKept) return { ...quantity, kept: text };
  return quantity.exponent < finest ? roundUp(quantity, finest) : quantity;
}

function fromBinary(text: string, digits: bigint, places: number, unsigned: bigint): Quantity {
  if (places === 0 && (unsigned & 7n) !== 0n && text.length <= 14) {
    return { digits, exponent: 0, notation: "binary", kept: text };
  }
  return roundUp({ digits, exponent: -places, notation: "binary" }, Math.max(-places, finest));
}

/** Away from zero: whoever asks for some gets some. */
function roundUp(quantity: Quantity, exponent: number): Quantity {
  const { digits, notation } = quantity;
  if (quantity.exponent >= exponent) return { digits, exponent: quantity.exponent, notation };
  const unit = 10n ** BigInt(exponent - quantity.exponent);
  const magnitude = digits < 0n ? -digits : digits;
  const rounded = (magnitude + unit - 1n) / unit;
  return { digits: digits < 0n ? -rounded : rounded, exponent, notation };
}

function format(quantity: Quantity): string {
  if (quantity.kept !== undefined) return quantity.kept;
  if (quantity.digits === 0n) return "0";
  if (quantity.notation === "binary") {
    const whole = wholeNumber(quantity);
    if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return formatBinary(whole);
  }
  return formatDecimal(quantity);
}

function wholeNumber({ digits, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return digits % unit === 0n ? digits / unit : undefined;
}

function formatBinary(whole: bigint): string {
  let amount = whole;
  let power = 0;
  while (amount % 1024n === 0n && power < binarySuffixes.length - 1) {
    amount /= 1024n;
    power += 1;
  }
  return `${amount}${binarySuffixes[power]}`;
}

function formatDecimal({ digits, exponent, notation }: Quantity): string {
  let amount = digits;
  let power = exponent;
  while (amount % 10n === 0n) {
    amount /= 10n;
    power += 1;
  }
  while (power % 3 !== 0) {
    amount *= 10n;
    power -= 1;
  }
  if (notation === "exponent") return power === 0 ? `${amount}` : `${amount}e${power}`;
  // Beyond the largest suffix the digits have to do.
  while (power > 18) {
    amount *= 10n;
    power -= 1;
  }
  const suffix = Object.entries(decimalSuffixes).find(([, value]) => value === power)?.[0] ?? "";
  return `${amount}${suffix}`;
}

function scaled({ digits, exponent }: Quantity, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
