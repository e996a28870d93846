import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { describeStatus } from "./describe-status.ts";
import type { ApiStatus } from "./status.ts";

/** What a request wanted: named in messages. */
export interface RequestPurpose {
  /** As RBAC names it: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb: string;
  /** Plural, with group and subresource: `deployments.apps/status`. */
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The API server answered, and the answer is a failure. */
export class ApiError extends DiagnosticError {
  readonly status: ApiStatus;
  readonly purpose: RequestPurpose;

  constructor(purpose: RequestPurpose, status: ApiStatus) {
    super([describeStatus(purpose, status)]);
    this.name = "ApiError";
    this.status = status;
    this.purpose = purpose;
  }

  get reason(): string {
    return this.status.reason;
  }

  /** The same failure as one diagnostic, about what the caller knows the object as. */
  toDiagnostic(subject?: string): Diagnostic {
    return {
      ...describeStatus(this.purpose, this.status),
      ...(subject === undefined ? {} : { subject }),
    };
  }
}

export function isApiError(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.reason));
}

export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error, "NotFound");
}

/**
 * Whether the server said of this very object that it does not exist. A path that nobody serves and the page
 * of a proxy are a 404 too, and say nothing of the object.
 */
export function provesAbsence(error: unknown): error is ApiError {
  if (!isNotFound(error) || error.status.code !== 404) return false;
  const { purpose, status } = error;
  const { name, kind } = status.details ?? {};
  if (name === undefined || name !== purpose.name || kind === undefined) return false;
  return kind !== "namespaces" || purpose.resource.split("/", 1)[0] === "namespaces";
}

/** The resource version is too old to go on from. */
export function isExpired(error: unknown): error is ApiError {
  return isApiError(error, "Expired", "Gone");
}

/** The cluster does not know the kind, or not yet. */
export function isUnserved(error: unknown): boolean {
  return (
    error instanceof DiagnosticError &&
    error.diagnostics.some(({ code }) => code === "cluster.unknown-kind")
  );
}
