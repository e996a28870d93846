import type { IncomingMessage, ServerResponse } from "node:http";
import {
  DiagnosticError,
  type DiagnosticCode,
  diagnosticToJson,
  fail,
} from "../diagnostics/index.ts";
import type { ActionRunner } from "./action-runner.ts";
import { json } from "./answer-json.ts";
import { readOrder } from "./read-order.ts";

const statuses: Partial<Record<DiagnosticCode, number>> = {
  "dashboard.read-only": 403,
  "dashboard.bad-request": 400,
  "dashboard.unconfirmed": 400,
  "dashboard.not-offered": 404,
  "dashboard.busy": 409,
};

/** Begins what the page asks for. How it goes and ends, the view tells. */
export async function answerOrder(
  request: IncomingMessage,
  response: ServerResponse,
  runner: ActionRunner | undefined,
): Promise<void> {
  try {
    if (runner === undefined)
      fail({
        code: "dashboard.read-only",
        summary: "nothing can be changed here: this dashboard is only for reading",
        hint: "serve it without --read-only, or use the command line",
      });
    json(response, 202, { id: runner.begin(await readOrder(request)) });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    const status = first === undefined ? undefined : statuses[first.code];
    json(response, status ?? 400, { diagnostics: error.diagnostics.map(diagnosticToJson) });
  }
}
