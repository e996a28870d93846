import { DiagnosticError } from "../../diagnostics/index.ts";
import { isJsonObject } from "../../json/index.ts";
import type { TransportAnswer } from "../transport/transport.ts";

/** An answer of status 200 that is not of the Kubernetes API, as a login page of a proxy is. */
export function unexpectedAnswer(
  doing: string,
  answer: Pick<TransportAnswer, "headers">,
  cause?: unknown,
): DiagnosticError {
  const type = answer.headers["content-type"] ?? "no content type";
  const problem = `what answered is not a Kubernetes API server (${type})`;
  return unexpected(doing, problem, cause);
}

/** An answer of status 200 that is JSON, but not what was asked for. */
export function unexpectedValue(doing: string, value: unknown, expected: string): DiagnosticError {
  return unexpected(doing, `the answer is ${inWords(value)}, not ${expected}`);
}

function unexpected(doing: string, problem: string, cause?: unknown): DiagnosticError {
  return new DiagnosticError([
    {
      code: "cluster.unexpected-answer",
      severity: "error",
      summary: `cannot ${doing}: ${problem}`,
      hint: "check the server address of the context, and proxies in between",
      cause,
    },
  ]);
}

/** What came instead, without its values: they may be secret. */
function inWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "a list";
  if (!isJsonObject(value)) return `a ${typeof value}`;
  if (Object.keys(value).length === 0) return "{}";
  const { kind } = value;
  return typeof kind === "string" && /^[A-Za-z]{1,63}$/.test(kind)
    ? `a ${kind} that is not complete or of another name`
    : "JSON without a kind";
}
