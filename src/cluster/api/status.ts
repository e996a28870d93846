import { isJsonObject, type JsonObject, parseJson } from "../../json/index.ts";
import type { TransportAnswer } from "../transport/transport.ts";

/** The API server's own account of a failure. */
export interface ApiStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The resource, or the kind; the server is not consistent. */
  readonly kind?: string;
  readonly uid?: string;
  readonly retryAfterSeconds?: number;
  readonly causes?: readonly StatusCause[];
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The Status in an answer; for an answer without one, a Status made of the HTTP code. */
export function statusOf(answer: TransportAnswer): ApiStatus {
  const found = readStatus(answer.text);
  return {
    code: answer.status,
    reason: found?.reason ?? reasons[answer.status] ?? "",
    message: found?.message ?? excerpt(answer.text),
    details: found?.details,
  };
}

/** A Status that came inside a stream: the object of an ERROR event. */
export function statusOfObject(object: unknown): ApiStatus {
  const { code, reason, message, details } = readFields(object);
  return { code: code ?? 500, reason: reason ?? "", message: message ?? "", details };
}

function readStatus(text: string): Partial<ApiStatus> | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) && value["kind"] === "Status" ? readFields(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What of a Status has the type that it should have. */
function readFields(value: unknown): Partial<ApiStatus> {
  const { code, reason, message, details } = isJsonObject(value) ? value : {};
  return {
    ...(typeof code === "number" ? { code } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof message === "string" ? { message } : {}),
    ...(isJsonObject(details) ? { details: readDetails(details) } : {}),
  };
}

function readDetails(details: JsonObject): StatusDetails {
  const { causes, ...rest } = details;
  const isList = Array.isArray(causes) && causes.every(isJsonObject);
  return { ...rest, ...(isList ? { causes } : {}) };
}

/** What the API server means by a code that comes without a Status, as from a proxy in between. */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

const longestExcerpt = 200;

function excerpt(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > longestExcerpt ? `${line.slice(0, longestExcerpt)}…` : line;
}
