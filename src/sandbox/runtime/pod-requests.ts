import { readQuantity } from "../../schema/index.ts";
import type { Container, PodSpec } from "./pod-types.ts";

/** Amounts of resources in thousandths, by name. */
export type Amounts = ReadonlyMap<string, bigint>;

const finest = -3;

/** A quantity in thousandths, rounded up; nothing for what is none. */
export function thousandths(text: string): bigint {
  const quantity = readQuantity(text.trim());
  if (quantity === undefined) return 0n;
  const shift = quantity.exponent - finest;
  if (shift >= 0) return quantity.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (quantity.digits + divisor - 1n) / divisor;
}

/**
 * What a pod takes of its node: the containers that run together, or what starting it needs for a
 * while if that is more. Sidecars run beside those that are started after them.
 */
export function podRequests(spec: PodSpec): Amounts {
  const running = new Map<string, bigint>();
  const starting = new Map<string, bigint>();
  for (const container of spec.initContainers ?? []) {
    const own = requestsOf(container);
    if (container.restartPolicy === "Always") add(running, own);
    const together = new Map(running);
    if (container.restartPolicy !== "Always") add(together, own);
    raise(starting, together);
  }
  for (const container of spec.containers) add(running, requestsOf(container));
  raise(running, starting);
  const { overhead = {} } = spec as { readonly overhead?: Readonly<Record<string, string>> };
  add(running, amountsOf(overhead));
  return running;
}

export function amountsOf(quantities: Readonly<Record<string, string>>): Amounts {
  return new Map(Object.entries(quantities).map(([name, text]) => [name, thousandths(text)]));
}

function requestsOf({ resources }: Container): Amounts {
  return amountsOf(resources?.requests ?? {});
}

function add(to: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) to.set(name, (to.get(name) ?? 0n) + amount);
}

function raise(to: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) if (amount > (to.get(name) ?? 0n)) to.set(name, amount);
}
