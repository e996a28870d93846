import type { ApiRequest } from "./request.ts";
import { invalid } from "./status.ts";

const kinds: Readonly<Record<string, string>> = {
  POST: "CreateOptions",
  PUT: "UpdateOptions",
  PATCH: "PatchOptions",
};
const validations = ["", "Ignore", "Strict", "Warn"];

/** Refuses a write whose options the server does not know, before anything else is looked at. */
export function checkWriteOptions({ method, query }: ApiRequest): void {
  const kind = kinds[method];
  if (kind === undefined) return;
  const dryRun = query.getAll("dryRun");
  const validation = query.get("fieldValidation") ?? "";
  const errors = [
    ...(dryRun.every((value) => value === "All")
      ? []
      : [notSupported("dryRun", JSON.stringify(dryRun), '"All"')]),
    ...(validations.includes(validation)
      ? []
      : [
          notSupported(
            "fieldValidation",
            JSON.stringify(validation),
            validations.map((each) => JSON.stringify(each)).join(", "),
          ),
        ]),
  ];
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind }, "", errors);
}

function notSupported(
  field: string,
  value: string,
  allowed: string,
): Parameters<typeof invalid>[2][number] {
  const detail = `Unsupported value: ${value}: supported values: ${allowed}`;
  return { type: "FieldValueNotSupported", field, detail };
}
