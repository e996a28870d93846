import { type FieldError, forbidden } from "../../schema/index.ts";
import { applyPatchTypes, mediaType } from "./decode-body.ts";
import type { ApiRequest } from "./request.ts";
import { invalidStatus } from "./status.ts";

const kinds: Readonly<Record<string, string>> = {
  POST: "CreateOptions",
  PUT: "UpdateOptions",
  PATCH: "PatchOptions",
};
const validations = ["", "Ignore", "Strict", "Warn"];

/** Refuses a write whose options the server does not know, before anything else is looked at. */
export function checkWriteOptions({ method, query, contentType }: ApiRequest): void {
  const kind = kinds[method];
  if (kind === undefined) return;
  const dryRun = query.getAll("dryRun");
  const validation = query.get("fieldValidation") ?? "";
  const errors = [
    ...managerErrors(query.get("fieldManager") ?? ""),
    ...(method === "PATCH" &&
    query.has("force") &&
    !applyPatchTypes.includes(mediaType(contentType))
      ? [forbidden("force", "may not be specified for non-apply patch")]
      : []),
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
  if (errors.length > 0) throw invalidStatus({ group: "meta.k8s.io", kind }, "", errors);
}

const longestManager = 128;

function managerErrors(manager: string): readonly FieldError[] {
  const field = "fieldManager";
  if (Buffer.byteLength(manager) > longestManager) {
    const detail = `Too long: may not be more than ${longestManager} bytes`;
    return [{ type: "FieldValueTooLong", field, detail }];
  }
  if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(manager)) return [];
  const detail = `Invalid value: ${JSON.stringify(manager)}: should only contain printable characters`;
  return [{ type: "FieldValueInvalid", field, detail }];
}

function notSupported(
  field: string,
  value: string,
  allowed: string,
): Parameters<typeof invalidStatus>[2][number] {
  const detail = `Unsupported value: ${value}: supported values: ${allowed}`;
  return { type: "FieldValueNotSupported", field, detail };
}
