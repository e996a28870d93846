import { DiagnosticError } from "../../diagnostics/index.ts";
import type { Diagnostic, DiagnosticCode } from "../../diagnostics/index.ts";

/**
 * Why a request got no answer. `refused` and `unreachable` mean that the server has not begun with
 * it; after `reset` and `timeout` nobody knows. `closed` means that the client itself was closed.
 */
export type ConnectionFailure =
  | "unreachable"
  | "refused"
  | "reset"
  | "timeout"
  | "certificate"
  | "proxy"
  | "closed";

/** A request got no answer at all. */
export class ConnectionError extends DiagnosticError {
  readonly failure: ConnectionFailure;

  constructor(failure: ConnectionFailure, diagnostic: Omit<Diagnostic, "severity" | "code">) {
    super([{ severity: "error", code: codes[failure], ...diagnostic }]);
    this.name = "ConnectionError";
    this.failure = failure;
  }
}

const codes: Readonly<Record<ConnectionFailure, DiagnosticCode>> = {
  unreachable: "cluster.unreachable",
  refused: "cluster.unreachable",
  reset: "cluster.unreachable",
  timeout: "cluster.timeout",
  certificate: "cluster.certificate",
  proxy: "cluster.proxy",
  closed: "cluster.unreachable",
};

/** Says what a failure to connect means, by the code of the error. */
export function connectError(server: string, error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const code = errorCode(error);
  const certificate = certificateProblem(code);
  if (certificate !== undefined) {
    return new ConnectionError("certificate", {
      summary: `cannot connect to ${server}: ${certificate}`,
      detail: code,
      cause: error,
    });
  }
  return new ConnectionError("unreachable", {
    summary: `cannot reach the API server at ${server}: ${connectProblems[code] ?? `connection failed (${code})`}`,
    hint: "check that the cluster runs, and the server address of the context",
    cause: error,
  });
}

/** Says what the loss of a request that may have been sent means. */
export function exchangeError(server: string, error: unknown, sent: boolean): ConnectionError {
  if (error instanceof ConnectionError) return error;
  return new ConnectionError(sent ? "reset" : "refused", {
    summary: `the connection to ${server} was lost before the answer arrived`,
    detail: errorCode(error),
    hint: "the API server may be restarting: try again",
    cause: error,
  });
}

export function timeoutError(server: string, what: string, timeoutMs: number): ConnectionError {
  return new ConnectionError("timeout", {
    summary: `${what}: no answer from ${server} within ${timeoutMs / 1000} s`,
  });
}

export function closedError(server: string): ConnectionError {
  return new ConnectionError("closed", { summary: `the client of ${server} is closed` });
}

export function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  if (typeof error === "object" && error !== null && "code" in error) return String(error.code);
  return error instanceof Error ? error.name : "unknown failure";
}

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "no answer",
  ECONNRESET: "the connection was closed while it was being made",
  EPIPE: "the connection was closed while it was being made",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak TLS; the address may need http://",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not speak TLS; the address may need http://",
};

const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed and not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate comes from an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that is not trusted",
  CERT_SIGNATURE_FAILURE: "its certificate is not signed by the authority of the context",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; the clock may be wrong",
  CERT_REVOKED: "its certificate was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  HOSTNAME_MISMATCH: "its certificate is for another host name",
  ERR_OSSL_X509_KEY_VALUES_MISMATCH:
    "the client certificate and the client key do not belong together",
  ERR_OSSL_PEM_NO_START_LINE: "a certificate or key of the context is not in PEM form",
  ERR_OSSL_PEM_BAD_BASE64_DECODE: "a certificate or key of the context is damaged",
};

function certificateProblem(code: string): string | undefined {
  const known = certificateProblems[code];
  if (known !== undefined) return known;
  if (/^ERR_SSL_.*ALERT/.test(code))
    return "the server refused the TLS connection or the client certificate";
  return code.startsWith("ERR_OSSL_")
    ? "a certificate or key of the context cannot be read"
    : undefined;
}
