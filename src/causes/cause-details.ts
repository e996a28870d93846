import type { Cause } from "./cause.ts";

/** What stands below the sentence: the evidence, unless the sentence has it, and what to do. */
export function causeDetails({ summary, evidence, action }: Cause): readonly string[] {
  return [
    ...(evidence === undefined || summary.includes(evidence) ? [] : [`│ ${evidence}`]),
    ...(action === undefined ? [] : [`→ ${action}`]),
  ];
}
