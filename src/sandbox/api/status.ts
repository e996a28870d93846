import type { StatusDetails } from "../../cluster/index.ts";
import { type FieldError, formatFieldError, formatFieldErrors } from "../../schema/index.ts";

/** The body with which an API server refuses a request. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: "Failure" | "Success";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Thrown anywhere while a request is handled; becomes its answer. */
export class StatusError extends Error {
  readonly status: Status;
  readonly code: number;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = "StatusError";
    this.code = code;
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

/** A resource type as messages name it. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

function qualified({ group, resource }: ResourceName): string {
  return group === "" ? resource : `${resource}.${group}`;
}

function detailsOf({ group, resource }: ResourceName, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource };
}

export function notFoundStatus(resource: ResourceName, name: string): StatusError {
  const message = `${qualified(resource)} "${name}" not found`;
  return new StatusError(404, "NotFound", message, detailsOf(resource, name));
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new StatusError(409, "AlreadyExists", message, detailsOf(resource, name));
}

export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new StatusError(409, "Conflict", message, detailsOf(resource, name));
}

export const modifiedMessage =
  "the object has been modified; please apply your changes to the latest version and try again";

export function invalidStatus(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const type = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const message = `${type} "${name}" is invalid: ${formatFieldErrors(errors)}`;
  return new StatusError(422, "Invalid", message, {
    ...(name === "" ? {} : { name }),
    ...(kind.group === "" ? {} : { group: kind.group }),
    ...(kind.kind === "" ? {} : { kind: kind.kind }),
    causes: errors.map((error) => ({
      reason: error.type,
      message: formatFieldError(error).slice(error.field.length + 2),
      field: error.field,
    })),
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", "Unauthorized");
}

export function forbiddenStatus(resource: ResourceName, name: string, why: string): StatusError {
  const subject = name === "" ? qualified(resource) : `${qualified(resource)} "${name}"`;
  return new StatusError(
    403,
    "Forbidden",
    `${subject} is forbidden: ${why}`,
    detailsOf(resource, name),
  );
}

export function methodNotAllowed(resource?: ResourceName): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(
    405,
    "MethodNotAllowed",
    message,
    resource === undefined ? {} : detailsOf(resource, ""),
  );
}

export function unknownPath(): StatusError {
  const message = "the server could not find the requested resource";
  return new StatusError(404, "NotFound", message, {});
}

export function notAcceptable(message: string, details?: StatusDetails): StatusError {
  return new StatusError(406, "NotAcceptable", message, details);
}

export function expired(message: string): StatusError {
  return new StatusError(410, "Expired", message);
}

/** A client has seen a version that this server has not. */
export function tooLargeVersion(version: string, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${version}, current: ${current}`;
  return new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

export function unsupportedMediaType(contentType: string, allowed: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${allowed.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", contentType === "" ? message : message);
}

export function tooLarge(limit: number): StatusError {
  return new StatusError(
    413,
    "RequestEntityTooLarge",
    `Request entity too large: limit is ${limit}`,
  );
}

export function internalError(message: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

/** Server-side apply met fields of others. */
export function applyConflict(
  causes: readonly { readonly message: string; readonly field: string }[],
  message: string,
): StatusError {
  return new StatusError(409, "Conflict", message, {
    causes: causes.map((cause) => ({ reason: "FieldManagerConflict", ...cause })),
  });
}

/** What a deletion answers when nothing is left to show. */
export function success(details: StatusDetails): Status {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
