import type { ResourceStatus } from "../inventory/index.ts";
import type { KubernetesObject } from "../objects/index.ts";

/** What became of one node of a plan. */
export interface NodeOutcome {
  readonly actuation: ResourceStatus["actuation"];
  readonly reconcile: ResourceStatus["reconcile"];
  /** How the object is, in the words of readiness. */
  readonly status: string;
  /** Why it was skipped or failed. */
  readonly message?: string | undefined;
  /** Refused by policy rather than failed. */
  readonly refused?: boolean | undefined;
  /** It is still there and still ours. */
  readonly stays: boolean;
  readonly live?: KubernetesObject | undefined;
}

export function isSuccess({ actuation, reconcile }: NodeOutcome): boolean {
  return actuation === "Succeeded" && (reconcile === "Succeeded" || reconcile === "Skipped");
}
