import { stringifyJson } from "../../json/index.ts";
import type { CompleteResponse } from "./request.ts";
import type { StatusError } from "./status.ts";

/** A refusal as an answer. */
export function statusResponse(error: StatusError): CompleteResponse {
  return {
    kind: "complete",
    status: error.code,
    contentType: "application/json",
    body: `${stringifyJson(error.status)}\n`,
  };
}
