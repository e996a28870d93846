import type { ServiceAccount } from "../blueprints/index.ts";
import { isNotFound } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";

/** Nothing can be done as a service account: there is no such account, or no token for it. */
export class AccountError extends DiagnosticError {
  readonly account: ServiceAccount;
  readonly isMissing: boolean;
  /** What the server said when it was asked for a token. */
  readonly reason: string;

  private constructor(account: ServiceAccount, cause: DiagnosticError) {
    const isMissing = isNotFound(cause);
    const why = isMissing ? "does not exist" : `gets no token: ${cause.message}`;
    super([
      {
        code: "controller.no-account",
        severity: "error",
        summary: `service account ${account.name} ${why}`,
        subject: `ServiceAccount ${account.namespace}/${account.name}`,
        cause,
      },
    ]);
    this.name = "AccountError";
    this.account = account;
    this.isMissing = isMissing;
    this.reason = cause.message;
  }

  /** The answer to a request for a token as what it means for the account; undefined for a defect. */
  static of(error: unknown, account: ServiceAccount): AccountError | undefined {
    return error instanceof DiagnosticError ? new AccountError(account, error) : undefined;
  }
}
