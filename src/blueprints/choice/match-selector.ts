import { judge, type Subject, type Verdict } from "../requirements/judge.ts";
import type { Requirement } from "../requirements/requirement.ts";

/** A selector and what became of each of its requirements. */
export interface SelectorMatch {
  readonly verdicts: readonly Verdict[];
  /** Unknown while what a requirement looks at is not there yet, and no other is unmet. */
  readonly outcome: "yes" | "no" | "unknown";
  /** How specific it is: the number of its requirements. */
  readonly score: number;
  readonly problem: string | undefined;
}

/** All requirements must be met; a selector without any matches nothing. */
export function matchSelector(selector: readonly Requirement[], subject: Subject): SelectorMatch {
  const verdicts = selector.map((requirement) => judge(requirement, subject));
  const isUnmet = verdicts.some(({ outcome }) => outcome === "no") || verdicts.length === 0;
  const isUnknown = verdicts.some(({ outcome }) => outcome === "unknown");
  return {
    verdicts,
    outcome: isUnmet ? "no" : isUnknown ? "unknown" : "yes",
    score: verdicts.length,
    problem: verdicts.find(({ problem }) => problem !== undefined)?.problem,
  };
}
