import { type FieldError, forbidden, notSupported } from "../../schema/index.ts";
import type { ApiRequest } from "./request.ts";
import { badRequest, invalidStatus } from "./status.ts";

const matches = ["Exact", "NotOlderThan", ""];

/** Refuses lists and watches whose options contradict each other. */
export function checkListOptions({ query }: ApiRequest, isWatch: boolean): void {
  requireNumbers(query);
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const errors = isWatch ? watchErrors(query, match) : listErrors(query, version, match);
  if (errors.length > 0)
    throw invalidStatus({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  if (isWatch) return;
  if ((query.get("continue") ?? "") !== "" && version !== "" && version !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
}

function requireNumbers(query: URLSearchParams): void {
  for (const name of ["limit", "timeoutSeconds"]) {
    const value = query.get(name) ?? "";
    if (value === "" || /^[+-]?\d+$/.test(value)) continue;
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  }
}

function watchErrors(query: URLSearchParams, match: string): readonly FieldError[] {
  const field = "resourceVersionMatch";
  if (query.has("sendInitialEvents")) {
    return match === "NotOlderThan"
      ? []
      : [
          forbidden(
            field,
            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
          ),
        ];
  }
  if (match === "") return [];
  return [
    forbidden(
      field,
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ),
    ...(match === "NotOlderThan" ? [] : [notSupported(field, match, ["NotOlderThan"])]),
  ];
}

function listErrors(query: URLSearchParams, version: string, match: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const field = "resourceVersionMatch";
  if (query.has("sendInitialEvents")) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  if (match === "") return errors;
  if (version === "") {
    errors.push(
      forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"),
    );
  }
  if ((query.get("continue") ?? "") !== "") {
    errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  }
  if (!matches.includes(match)) errors.push(notSupported(field, match, matches));
  if (match === "Exact" && version === "0") {
    errors.push(
      forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
  }
  return errors;
}
