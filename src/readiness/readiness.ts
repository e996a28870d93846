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
