import { readQuantity } from "../../schema/index.ts";
import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { OpaqueValue } from "../values.ts";

interface Amount {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Amounts such as `500m` and `1Gi`, exactly. */
export const quantityLibrary: Library = {
  "quantity(string) -> kubernetes.Quantity": (text: string) => {
    const amount = readAmount(text);
    return amount === undefined ? celFailure(quantityProblem) : quantityValue(amount);
  },
  "isQuantity(string) -> bool": (text: string) => readAmount(text) !== undefined,
  "[kubernetes.Quantity].isInteger() -> bool": (value: OpaqueValue) =>
    wholeOf(amountOf(value)) !== undefined,
  "[kubernetes.Quantity].asInteger() -> int": (value: OpaqueValue) =>
    wholeOf(amountOf(value)) ?? celFailure("cannot convert value to integer"),
  "[kubernetes.Quantity].asApproximateFloat() -> double": (value: OpaqueValue) => {
    const { digits, exponent } = amountOf(value);
    return Number(`${digits}e${exponent}`);
  },
  "sign(kubernetes.Quantity) -> int": (value: OpaqueValue) => signOf(amountOf(value).digits),
  "[kubernetes.Quantity].isLessThan(kubernetes.Quantity) -> bool": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => compare(left, right) < 0n,
  "[kubernetes.Quantity].isGreaterThan(kubernetes.Quantity) -> bool": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => compare(left, right) > 0n,
  "[kubernetes.Quantity].compareTo(kubernetes.Quantity) -> int": compare,
  "[kubernetes.Quantity].add(kubernetes.Quantity) -> kubernetes.Quantity": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => add(amountOf(left), amountOf(right)),
  "[kubernetes.Quantity].add(int) -> kubernetes.Quantity": (left: OpaqueValue, right: bigint) =>
    add(amountOf(left), { digits: right, exponent: 0 }),
  "[kubernetes.Quantity].sub(kubernetes.Quantity) -> kubernetes.Quantity": (
    left: OpaqueValue,
    right: OpaqueValue,
  ) => add(amountOf(left), negative(amountOf(right))),
  "[kubernetes.Quantity].sub(int) -> kubernetes.Quantity": (left: OpaqueValue, right: bigint) =>
    add(amountOf(left), { digits: -right, exponent: 0 }),
};

const quantityProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const longestQuantity = 100;
const largestExponent = 100;

/** Bounded, because an exponent of a million digits is an attack and no amount. */
function readAmount(text: string): Amount | undefined {
  if (text.length > longestQuantity || /[eE][+-]?\d{4,}$/.test(text)) return undefined;
  const amount = readQuantity(text);
  return amount === undefined || Math.abs(amount.exponent) > largestExponent ? undefined : amount;
}

function quantityValue({ digits, exponent }: Amount): OpaqueValue {
  let [amount, power] = [digits, exponent];
  while (amount !== 0n && amount % 10n === 0n) {
    amount /= 10n;
    power += 1;
  }
  const identity = amount === 0n ? "0" : `${amount}e${power}`;
  return new OpaqueValue("kubernetes.Quantity", identity, { digits, exponent });
}

function amountOf(value: OpaqueValue): Amount {
  return value.content as Amount;
}

function negative({ digits, exponent }: Amount): Amount {
  return { digits: -digits, exponent };
}

function scaled({ digits, exponent }: Amount, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

function add(left: Amount, right: Amount): OpaqueValue {
  const exponent = Math.min(left.exponent, right.exponent);
  return quantityValue({ digits: scaled(left, exponent) + scaled(right, exponent), exponent });
}

function compare(left: OpaqueValue, right: OpaqueValue): bigint {
  const [a, b] = [amountOf(left), amountOf(right)];
  const exponent = Math.min(a.exponent, b.exponent);
  return signOf(scaled(a, exponent) - scaled(b, exponent));
}

function signOf(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value < 0n ? -1n : 1n;
}

function wholeOf({ digits, exponent }: Amount): bigint | undefined {
  const unit = 10n ** BigInt(Math.abs(exponent));
  const whole = exponent >= 0 ? digits * unit : digits % unit === 0n ? digits / unit : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}
