/** Chance as the sandbox sees it; tests give a seed. */
export interface Random {
  readonly uuid: () => string;
  /** Letters as generated names end with. */
  readonly suffix: (length: number) => string;
}

const suffixLetters = "bcdfghjklmnpqrstvwxz2456789";

export const systemRandom: Random = {
  uuid: () => crypto.randomUUID(),
  suffix: (length) => letters(length, () => Math.random()),
};

/** The same values in the same order for the same seed. */
export function seededRandom(seed: number): Random {
  const next = seededNumbers(seed);
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join("");
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    suffix: (length) => letters(length, next),
  };
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function letters(length: number, next: () => number): string {
  return Array.from(
    { length },
    () => suffixLetters[Math.floor(next() * suffixLetters.length)],
  ).join("");
}
