import type { Outcome } from "./compare-answers.ts";
import type { Judged } from "./fuzz.ts";

/** How often both servers said what. */
export type Counts = Readonly<Record<Outcome, number>>;

export const goals = { invalidAccepted: 0.005, sameField: 0.98 } as const;

/** Counts judgements by kind, and keeps those that differ. */
export class Tally {
  readonly #kinds = new Map<string, Record<Outcome, number>>();
  readonly failures: Judged[] = [];

  readonly add = (judged: Judged): void => {
    const counts = this.#kinds.get(judged.kind) ?? { ...none };
    counts[judged.outcome]++;
    this.#kinds.set(judged.kind, counts);
    if (judged.outcome !== "both accept" && judged.outcome !== "both refuse") {
      this.failures.push(judged);
    }
  };

  kinds(): readonly (readonly [kind: string, counts: Counts])[] {
    return [...this.#kinds].sort(([left], [right]) => left.localeCompare(right, "en"));
  }

  total(): Counts {
    const total = { ...none };
    for (const counts of this.#kinds.values()) {
      for (const outcome of outcomes) total[outcome] += counts[outcome];
    }
    return total;
  }
}

const none: Counts = {
  "both accept": 0,
  "both refuse": 0,
  "other field": 0,
  "valid refused": 0,
  "invalid accepted": 0,
};
const outcomes = Object.keys(none) as readonly Outcome[];

export function sumOf(counts: Counts): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** The share of invalid objects that the sandbox takes. */
export function acceptedShare(counts: Counts): number {
  return share(counts["invalid accepted"], refusedByReal(counts));
}

/** The share of what both refuse for which they name the same fields. */
export function sameFieldShare(counts: Counts): number {
  const both = counts["both refuse"] + counts["other field"];
  return both === 0 ? 1 : counts["both refuse"] / both;
}

function refusedByReal(counts: Counts): number {
  return counts["both refuse"] + counts["other field"] + counts["invalid accepted"];
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** The goals that a run misses, in words. */
export function missedGoals(counts: Counts): readonly string[] {
  const missed: string[] = [];
  const refused = counts["valid refused"];
  if (refused > 0) missed.push(`${refused} valid objects are refused; the goal is 0`);
  const accepted = acceptedShare(counts);
  if (accepted > goals.invalidAccepted) {
    missed.push(`${percent(accepted)} of invalid objects are accepted; the goal is 0.5 %`);
  }
  const same = sameFieldShare(counts);
  if (same < goals.sameField) {
    missed.push(`the same fields are named in ${percent(same)} of refusals; the goal is 98 %`);
  }
  return missed;
}

export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)} %`;
}
