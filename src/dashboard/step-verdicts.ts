import type { Readiness } from "../readiness/index.ts";
import type { WorldStep } from "./chain-world.ts";
import type { WorldObject } from "./world.ts";

/** A step that is not ready is so because of what it stamped, as far as that tells why. */
export function explainedVerdict(told: Readiness, stamped: WorldObject | undefined): Readiness {
  return told.status === "Current" || stamped?.verdict.cause === undefined ? told : stamped.verdict;
}

/** An owner that is not ready is so because of a step, as far as one tells why. */
export function ownerVerdict(told: Readiness, steps: readonly WorldStep[]): Readiness {
  if (told.status === "Current") return told;
  const explained = steps.map(({ verdict }) => verdict).filter(({ cause }) => cause !== undefined);
  return explained.find(({ status }) => status === "Failed") ?? explained[0] ?? told;
}
