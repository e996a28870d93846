/**
 * Why something is not as it should be: from what is known of an object, its pods, their events and
 * logs, to one sentence, its evidence, and what to do. Every view shows the same words, because none
 * words a failure itself.
 *
 * Pure: it reads no cluster and no clock. What it needs to know is in `CauseFacts`, and each fact may be missing.
 */
export type { Cause } from "./cause.ts";
export type { CauseFacts } from "./cause-facts.ts";
export { causeOf } from "./cause-of.ts";
export { causeDetails } from "./cause-details.ts";
export { refusalCause } from "./refusal-cause.ts";
export type { Condition } from "./conditions.ts";
export { conditionOf, conditionsOf } from "./conditions.ts";
