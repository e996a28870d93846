import type { Diagnostic, DiagnosticCode } from "../../diagnostics/index.ts";
import type { RequestPurpose } from "./api-error.ts";
import type { ApiStatus, StatusCause } from "./status.ts";

/** Puts the answer of the API server into the words of Keelson; its reason decides, not its text. */
export function describeStatus(purpose: RequestPurpose, status: ApiStatus): Diagnostic {
  const { code, problem, detail, hint } = explain(purpose, status);
  return {
    code,
    severity: "error",
    summary: `cannot ${describePurpose(purpose)}: ${problem}`,
    subject: what(purpose),
    ...(detail === undefined || detail === "" ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** `get configmaps web/settings`. */
export function describePurpose(purpose: RequestPurpose): string {
  return `${purpose.verb} ${what(purpose)}`;
}

interface Explanation {
  readonly code: DiagnosticCode;
  readonly problem: string;
  readonly detail?: string;
  readonly hint?: string;
}

function explain(purpose: RequestPurpose, status: ApiStatus): Explanation {
  const { message, details } = status;
  const causes = details?.causes ?? [];
  switch (status.reason) {
    case "Unauthorized":
      return {
        code: "cluster.unauthorized",
        problem: "the API server does not accept the credentials",
        detail: message,
        hint: "log in again, or fetch a new kubeconfig",
      };
    case "Forbidden":
      return forbidden(purpose, status);
    case "NotFound":
      return { code: "cluster.not-found", problem: missing(purpose, status), detail: message };
    case "AlreadyExists":
      return { code: "cluster.already-exists", problem: "it exists already", detail: message };
    case "Conflict":
      return conflict(causes, message);
    case "Invalid":
      return {
        code: "cluster.invalid",
        problem: `${counted(causes.length, "field")} not valid`,
        detail: causes.length === 0 ? message : causes.map(fieldLine).join("\n"),
      };
    case "Expired":
    case "Gone":
      return {
        code: "cluster.expired",
        problem: "the resource version is too old",
        detail: message,
      };
    case "TooManyRequests":
      return {
        code: "cluster.too-many-requests",
        problem: "the API server is overloaded",
        detail: message,
      };
    case "Timeout":
    case "ServerTimeout":
      return {
        code: "cluster.timeout",
        problem: "the API server did not finish in time",
        detail: message,
      };
    default:
      return status.code >= 500
        ? {
            code: "cluster.server-error",
            problem: `the API server failed (${status.code})`,
            detail: message,
          }
        : {
            code: "cluster.bad-request",
            problem: `the API server refused the request (${status.code})`,
            detail: message,
          };
  }
}

function forbidden(purpose: RequestPurpose, { message }: ApiStatus): Explanation {
  const place =
    purpose.namespace === undefined ? "in the whole cluster" : `in namespace ${purpose.namespace}`;
  return {
    code: "cluster.forbidden",
    problem: `the user may not ${purpose.verb} ${purpose.resource} ${place}`,
    // The server's own text is the only place that names the user, or the admission rule.
    detail: message,
    hint: `kubectl auth can-i ${purpose.verb} ${purpose.resource}${purpose.namespace === undefined ? "" : ` --namespace ${purpose.namespace}`}`,
  };
}

function missing(purpose: RequestPurpose, { details }: ApiStatus): string {
  if (details?.kind === "namespaces" && purpose.resource !== "namespaces") {
    return `the namespace ${details.name ?? purpose.namespace ?? ""} does not exist`;
  }
  return details?.kind === undefined
    ? "the API server does not know this path"
    : "it does not exist";
}

const managerConflict = "FieldManagerConflict";

function conflict(causes: readonly StatusCause[], message: string): Explanation {
  const fields = causes.filter(({ reason }) => reason === managerConflict);
  if (fields.length === 0) {
    return {
      code: "cluster.conflict",
      problem: "it was changed by somebody else in the meantime",
      detail: message,
    };
  }
  return {
    code: "cluster.conflict",
    problem: `${counted(fields.length, "field")} owned by other field managers`,
    detail: fields.map(({ field, message }) => `${field ?? "?"}: ${message ?? ""}`).join("\n"),
    hint: "take the fields over by force, or leave them out of the configuration",
  };
}

function fieldLine({ field, message }: StatusCause): string {
  return field === undefined || field === "" ? (message ?? "") : `${field}: ${message ?? ""}`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} is` : count === 0 ? `a ${noun} is` : `${count} ${noun}s are`;
}

/** `configmaps web/settings`, `namespaces web`, `pods in web`. */
function what({ resource, namespace, name }: RequestPurpose): string {
  if (name !== undefined)
    return `${resource} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  return namespace === undefined ? resource : `${resource} in ${namespace}`;
}
