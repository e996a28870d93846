import { stringifyJson } from "../../../json/index.ts";
import type { CompleteResponse } from "../request.ts";

/** A JSON answer. */
export function answer(
  status: number,
  body: unknown,
  warnings: readonly string[] = [],
): CompleteResponse {
  return {
    kind: "complete",
    status,
    contentType: "application/json",
    body: `${stringifyJson(body)}\n`,
    warnings,
  };
}

/** What a server says when there is nothing to show but that it worked. */
export function done(): CompleteResponse {
  return answer(201, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
}
