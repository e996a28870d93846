import { StatusError } from "../../status.ts";

/** What a webhook says of its refusal. */
export interface RejectionStatus {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusError["status"]["details"];
}

/** The answer to a write that a webhook refuses: with the code and the reason that it names. */
export function rejection(name: string, status: RejectionStatus = {}): StatusError {
  const { message = "", reason = "", code = 0, details } = status;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message === "" ? reason : message;
  const text = why === "" ? `${denied} without explanation` : `${denied}: ${why}`;
  return new StatusError(Math.max(code, 400), reason, text, details);
}
