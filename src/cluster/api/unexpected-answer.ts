import { DiagnosticError } from "../../diagnostics/index.ts";
import type { TransportAnswer } from "../transport/transport.ts";

/** An answer of status 200 that is not of the Kubernetes API, as a login page of a proxy is. */
export function unexpectedAnswer(
  doing: string,
  answer: Pick<TransportAnswer, "headers">,
  cause?: unknown,
): DiagnosticError {
  const type = answer.headers["content-type"] ?? "no content type";
  return new DiagnosticError([
    {
      code: "cluster.unexpected-answer",
      severity: "error",
      summary: `cannot ${doing}: what answered is not a Kubernetes API server (${type})`,
      hint: "check the server address of the context, and proxies in between",
      cause,
    },
  ]);
}
