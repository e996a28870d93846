import { expect, test } from "vitest";
import { splitApiVersion } from "../../objects/api-version.ts";
import type { JsonObject } from "../../json/index.ts";
import { builtinSchemas } from "../builtin-schemas.ts";
import { decodeObject } from "../decode-object.ts";
import { formatFieldError } from "../field-error.ts";
import type { FieldError } from "../field-error.ts";
import { validateObject, validateObjectUpdate } from "./index.ts";
import refusals from "../../../test/facts/api-server-refusals.json" with { type: "json" };
import updateRefusals from "../../../test/facts/api-server-update-refusals.json" with { type: "json" };

interface Sent extends JsonObject {
  apiVersion: string;
  kind: string;
}

/** What kube-apiserver 1.36.3 answered to creates. */
const creates = refusals as unknown as readonly { sent: Sent; errors: readonly string[] }[];

/** What kube-apiserver 1.36.3 answered to updates. */
const updates = updateRefusals as unknown as readonly {
  old: Sent;
  updated: Sent;
  errors: readonly string[];
}[];

function kindOf(object: Sent): { group: string; version: string; kind: string } {
  return { ...splitApiVersion(object.apiVersion), kind: object.kind };
}

function decode(object: Sent): JsonObject {
  return decodeObject(builtinSchemas().get(kindOf(object)) ?? {}, object).object;
}

/**
 * The server shows structs by the names of their Go fields, and long differences as a diff; neither
 * is worth imitating. Errors are compared without them, and each once, whatever their order.
 */
function comparable(errors: readonly string[]): readonly string[] {
  const plain = errors.map((each) =>
    each
      .replace(/\n@@[\s\S]*$/, "")
      .replace(/value: (?:\{.*\}|\[\{.*\}\]|\[\]|null)(?=: |$)/, "value: …"),
  );
  return [...new Set(plain)].sort();
}

function lines(errors: readonly FieldError[]): readonly string[] {
  return comparable(errors.map(formatFieldError));
}

test.each(creates.map((each) => [each.sent.kind, JSON.stringify(each.sent), each] as const))(
  "a new %s is refused as observed: %s",
  (_kind, _sent, { sent, errors }) => {
    expect(lines(validateObject(kindOf(sent), decode(sent)))).toEqual(comparable(errors));
  },
);

test.each(updates.map((each) => [each.old.kind, each.errors.join(), each] as const))(
  "an update of a %s is refused as observed: %s",
  (_kind, _errors, { old, updated, errors }) => {
    const kind = kindOf(updated);
    const found = [
      ...validateObject(kind, decode(updated)),
      ...validateObjectUpdate(kind, decode(updated), decode(old)),
    ];
    expect(lines(found)).toEqual(comparable(errors));
  },
);

const mebibyte = "x".repeat(1_048_576);

test.each([
  ["ConfigMap", { data: { a: mebibyte } }, []],
  [
    "ConfigMap",
    { data: { a: `${mebibyte}x` } },
    ["[]: Too long: may not be more than 1048576 bytes"],
  ],
  [
    "ConfigMap",
    { data: { a: mebibyte }, binaryData: { b: btoa("x") } },
    ["[]: Too long: may not be more than 1048576 bytes"],
  ],
  ["Secret", { data: { a: btoa(mebibyte) } }, []],
  [
    "Secret",
    { data: { a: btoa(`${mebibyte}x`) } },
    ["data: Too long: may not be more than 1048576 bytes"],
  ],
])("the size of a %s", (kind, fields, expected) => {
  const sent: Sent = { apiVersion: "v1", kind, metadata: { name: "x" }, ...fields };
  expect(validateObject(kindOf(sent), decode(sent)).map(formatFieldError)).toEqual(expected);
});
