import type { CelType } from "./cel-type.ts";

/** More than any number of steps that is ever counted to. */
export const boundless = 2 ** 64;

/** What is known of an operand: its type and how large it can be. */
export interface Operand {
  readonly type: CelType;
  readonly size: number;
  /** Of a list, how large an item can be. */
  readonly itemSize: number;
}

export interface CallCost {
  /** The steps of the call itself, without those of its operands. */
  readonly steps: number;
  /** How large the result can be, where that is known. */
  readonly size?: number;
}

/** Steps on texts count by tens of characters. */
export function onText(size: number, factor = 0.1): number {
  return bounded(Math.ceil(size * factor));
}

export function bounded(steps: number): number {
  return Math.min(steps, boundless);
}

type Estimate = (target: Operand, args: readonly Operand[]) => CallCost;

const readsText: Estimate = (first) => ({ steps: onText(first.size) });
const readsArgument: Estimate = (first, [argument]) => ({
  steps: onText((argument ?? first).size),
});
const keepsSize: Estimate = ({ size }) => ({ steps: onText(size), size });

/** A text of any length against a pattern, of which four characters are about one step. */
const matches: Estimate = (target, [pattern]) => ({
  steps: bounded(onText(target.size + 1) * onText(pattern?.size ?? 0, 0.25)),
});

const comparesItems: Estimate = (target) => {
  if (target.type.kind !== "list") return { steps: onText(target.size) };
  const { kind } = target.type.item;
  const isText = kind === "string" || kind === "bytes";
  return { steps: bounded(target.size * (1 + (isText ? onText(target.itemSize) : 0))) };
};

const comparesSets =
  (factor: number): Estimate =>
  (left, [right]) => ({ steps: bounded(left.size * (right?.size ?? 0) * factor + 1) });

/** Functions whose steps depend on how large their operands can be; all others take one. */
const estimates: Readonly<Record<string, Estimate>> = {
  startsWith: readsArgument,
  endsWith: readsArgument,
  format: readsText,
  matches,
  find: (target, args) => ({ ...matches(target, args), size: target.size }),
  findAll: (target, args) => ({ ...matches(target, args), size: target.size }),
  contains: (target, [part]) => ({
    steps: bounded(onText(target.size) * onText(part?.size ?? 0)),
  }),
  "@in": (_item, [list]) => ({ steps: list?.type.kind === "map" ? 1 : (list?.size ?? 1) }),
  "_==_": comparison,
  "_!=_": comparison,
  "_<_": ordering,
  "_<=_": ordering,
  "_>_": ordering,
  "_>=_": ordering,
  "_+_": addition,
  isSorted: comparesItems,
  sum: comparesItems,
  max: comparesItems,
  min: comparesItems,
  indexOf: comparesItems,
  lastIndexOf: comparesItems,
  url: keepsSize,
  lowerAscii: keepsSize,
  upperAscii: keepsSize,
  substring: keepsSize,
  trim: keepsSize,
  "strings.quote": ({ size }) => ({ steps: onText(size), size: size * 2 + 2 }),
  replace: (target, [, inserted]) => ({
    steps: onText(target.size, 0.2),
    size: bounded((target.size + 1) * (inserted?.size ?? 0) + target.size),
  }),
  split: ({ size }) => ({ steps: onText(size, 0.2), size }),
  join: (list, [separator]) => {
    const separators = Math.max(0, list.size - 1) * (separator?.size ?? 0);
    const size = bounded(list.size * list.itemSize + separators);
    return { steps: onText(size), size };
  },
  cidr: readsText,
  isIP: readsText,
  isCIDR: readsText,
  ip: (first) => (first.type.kind === "string" ? readsText(first, []) : { steps: 1 }),
  "ip.isCanonical": ({ size }) => ({ steps: onText(size, 0.2) }),
  quantity: readsText,
  isQuantity: readsText,
  semver: readsText,
  isSemver: readsText,
  validate: (first, [text]) => ({ steps: bounded(onText((text ?? first).size) * 32) }),
  containsIP: (_cidr, [address]) => ({ steps: 4 + textSteps(address) }),
  containsCIDR: (_cidr, [other]) => ({ steps: 7 + textSteps(other) }),
  bytes: ({ size, type }) =>
    type.kind === "string" ? { steps: onText(size), size: size * 4 } : { steps: 1 },
  string: ({ size, type }) =>
    type.kind === "bytes" || type.kind === "dyn" ? { steps: onText(size), size } : { steps: 1 },
  "sets.contains": comparesSets(1),
  "sets.intersects": comparesSets(1),
  "sets.equivalent": comparesSets(2),
};

/** What a call takes; the first operand is the receiver of a method. */
export function callCost(name: string, operands: readonly Operand[]): CallCost {
  const [first, ...rest] = operands;
  const estimate = Object.hasOwn(estimates, name) ? estimates[name] : undefined;
  if (estimate === undefined || first === undefined) return { steps: 1 };
  return estimate(first, rest);
}

function textSteps(operand: Operand | undefined): number {
  return operand?.type.kind === "string" ? onText(operand.size) : 0;
}

/** Values are compared until one of them ends. */
function comparison(left: Operand, [right]: readonly Operand[]): CallCost {
  if (left.type.kind === "opaque") return { steps: 1 };
  return { steps: onText(Math.min(left.size, right?.size ?? 0)) };
}

function ordering(left: Operand, rest: readonly Operand[]): CallCost {
  if (!["string", "bytes", "dyn"].includes(left.type.kind)) return { steps: 1 };
  return { steps: Math.max(left.type.kind === "dyn" ? 1 : 0, comparison(left, rest).steps) };
}

function addition(left: Operand, [right]: readonly Operand[]): CallCost {
  const size = bounded(left.size + (right?.size ?? 0));
  const { kind } = left.type;
  if (kind === "list") return { steps: 1, size };
  if (kind === "string" || kind === "bytes") return { steps: onText(size), size };
  return kind === "dyn" ? { steps: Math.max(1, onText(size)), size } : { steps: 1 };
}
