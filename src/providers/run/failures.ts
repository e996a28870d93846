import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { changesTheWorld } from "../operations.ts";
import { durationText } from "../timeouts.ts";
import { BackendLost } from "./backend.ts";
import { type CallPlace, doing, providerOf } from "./call-place.ts";

const longestMessage = 4_000;

/** Whatever a provider threw, as the user sees it: its message and never its stack. */
export function callFailure(error: unknown, place: CallPlace): DiagnosticError {
  if (error instanceof DiagnosticError) return error;
  if (error instanceof BackendLost) return lostFailure(error, place);
  const [first = "", ...rest] = messageOf(error).slice(0, longestMessage).trim().split("\n");
  return failure(place, error, {
    code: "provider.failed",
    summary: `${doing(place)} failed: ${first === "" ? "no reason was given" : first}`,
    detail: [...rest, `said by ${providerOf(place)}, ${place.where}`].join("\n"),
  });
}

export function timeoutFailure(place: CallPlace, timeoutMs: number): DiagnosticError {
  return failure(place, undefined, {
    code: "provider.timed-out",
    summary: `${doing(place)}: ${providerOf(place)} did not answer within ${durationText(timeoutMs)}`,
    detail: place.where,
    hint: changesTheWorld(place.operation)
      ? "whether it was done is not known; the next run looks before it does it again"
      : undefined,
  });
}

export function cancelFailure(place: CallPlace): DiagnosticError {
  return failure(place, undefined, {
    code: "provider.cancelled",
    summary: `${doing(place)} was interrupted`,
    hint: changesTheWorld(place.operation)
      ? "whether it was done is not known; the next run looks before it does it again"
      : undefined,
  });
}

function lostFailure(error: BackendLost, place: CallPlace): DiagnosticError {
  const detail = [place.where, ...error.lastLines.map((line) => `| ${line}`)].join("\n");
  if (error.kind === "too-much") {
    return failure(place, error, {
      code: "provider.invalid-answer",
      summary: `${doing(place)}: ${providerOf(place)} ${error.message}`,
      detail,
      hint: "the process was ended; it is started again for the next call",
    });
  }
  if (error.kind === "not-started") {
    return failure(place, error, {
      code: "provider.not-started",
      summary: `${doing(place)}: ${providerOf(place)} ${error.message}`,
      detail,
    });
  }
  return failure(place, error, {
    code: "provider.crashed",
    summary: `${doing(place)}: ${providerOf(place)} ${error.message} before it answered`,
    detail,
    hint: changesTheWorld(place.operation)
      ? "whether it was done is not known; the next run looks before it does it again"
      : "it is started again for the next call",
  });
}

function failure(
  place: CallPlace,
  cause: unknown,
  diagnostic: Omit<Diagnostic, "severity" | "subject" | "cause">,
): DiagnosticError {
  return new DiagnosticError([{ severity: "error", subject: place.name, cause, ...diagnostic }]);
}

function messageOf(error: unknown): string {
  // Node gives an empty message to what failed in several ways, such as a name with two addresses.
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(messageOf).join("\n");
  if (error instanceof Error) return error.message;
  if (typeof error === "string") return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
