import type { Cause } from "../causes/index.ts";

export type ReadinessStatus =
  | "Current"
  | "InProgress"
  | "Failed"
  | "Terminating"
  | "NotFound"
  | "Unknown";

/** A verdict on one object, with words for programs and for the user. */
export interface Readiness {
  readonly status: ReadinessStatus;
  readonly reason: string;
  readonly message: string;
  /** Why it is not ready, where something tells; the message is its sentence. */
  readonly cause?: Cause | undefined;
}

export function current(message: string, reason = "Ready"): Readiness {
  return { status: "Current", reason, message };
}

export function inProgress(reason: string, message: string): Readiness {
  return { status: "InProgress", reason, message };
}

export function failed(reason: string, message: string): Readiness {
  return { status: "Failed", reason, message };
}
