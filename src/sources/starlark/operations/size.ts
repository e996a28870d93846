import { HashTable } from "../values/hash-table.ts";
import { StarlarkBytes } from "../values/bytes.ts";
import { StarlarkObject, type Value } from "../values/value.ts";

/** Estimates of what values take, in bytes: one reference, one object with its header, one key. */
export const wordBytes = 8;
export const objectBytes = 48;
export const entryBytes = 64;

/** The memory that values and all they reach take; what several share counts once. */
export function sizeOf(roots: Iterable<unknown>): number {
  const seen = new Set<StarlarkObject>();
  const pending = [...roots];
  let bytes = 0;
  while (pending.length > 0) {
    const value = pending.pop() as Value | undefined;
    if (typeof value === "string") bytes += value.length;
    else if (typeof value === "bigint") bytes += bigintBytes(value);
    else if (value instanceof StarlarkObject && !seen.has(value)) {
      seen.add(value);
      bytes += objectBytes;
      if (value instanceof StarlarkBytes) bytes += value.length;
      const perItem = value instanceof HashTable ? entryBytes / 2 : wordBytes;
      for (const inner of value.contents()) {
        bytes += perItem;
        if (typeof inner !== "number" && inner !== null) pending.push(inner);
      }
    }
  }
  return bytes;
}

/** Only ever asked of ints that are no numbers. */
export function bigintBytes(int: bigint): number {
  let bytes = wordBytes;
  const magnitude = int < 0n ? -int : int;
  for (let bits = 512n; magnitude >> bits !== 0n; bits *= 2n) bytes = Number(bits / 4n);
  return bytes;
}
