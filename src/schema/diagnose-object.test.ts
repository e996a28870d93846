import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { builtinSchemas } from "./builtin-schemas.ts";
import { crdSchema } from "./crd-schema.ts";
import { diagnoseObject } from "./diagnose-object.ts";

function check(object: JsonObject): readonly string[] {
  const kind = { group: "", version: "v1", kind: "Pod" };
  const schema = builtinSchemas().get(kind) ?? {};
  const { diagnostics } = diagnoseObject(kind, schema, object, "Pod a");
  return diagnostics.map(
    ({ code, severity, summary, hint }) =>
      `${code} ${severity} ${summary}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

function pod(spec: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
}

test("a good object has none", () => {
  expect(check(pod({ containers: [{ name: "c", image: "nginx" }] }))).toEqual([]);
});

test("schema.unknown-field proposes the field that was meant", () => {
  expect(
    check(pod({ containers: [{ name: "c", image: "nginx", imagePulPolicy: "Always" }] })),
  ).toEqual([
    "schema.unknown-field warning Pod a has a field that Pod does not know: spec.containers[0].imagePulPolicy (Did you mean imagePullPolicy?)",
  ]);
});

test("schema.unreadable-object", () => {
  expect(check(pod({ containers: [{ name: "c", image: 1 }] }))).toEqual([
    "schema.unreadable-object error Pod a cannot be read as a Pod: json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string",
  ]);
});

test("schema.invalid-object", () => {
  expect(check(pod({ containers: [] }))).toEqual([
    "schema.invalid-object error Pod a is invalid: spec.containers: Required value",
  ]);
});

test("schema.not-base64 tells where plain text belongs, and never the text", () => {
  const told = (kind: string, fields: JsonObject): readonly (string | undefined)[] => {
    const type = { group: "", version: "v1", kind };
    const object = { apiVersion: "v1", kind, metadata: { name: "a" }, ...fields };
    const schema = builtinSchemas().get(type) ?? {};
    const { diagnostics } = diagnoseObject(type, schema, object, `${kind} a`);
    return diagnostics.flatMap(({ code, summary, hint }) => [code, summary, hint]);
  };
  expect(told("Secret", { data: { username: "admin", ok: "YWRtaW4=" } })).toEqual([
    "schema.not-base64",
    "Secret a: data.username is not base64",
    "Plain text belongs under stringData: write `stringData:` instead of `data:`; or encode the value, as `base64` does.",
  ]);
  expect(told("ConfigMap", { binaryData: { logo: "x" } })).toEqual([
    "schema.not-base64",
    "ConfigMap a: binaryData.logo is not base64",
    "Plain text belongs under data: write `data:` instead of `binaryData:`; or encode the value, as `base64` does.",
  ]);
});

test("a name in upper case comes with one that would do", () => {
  const schema = crdSchema({ type: "object" });
  const kind = { group: "ex.io", version: "v1", kind: "Claim" };
  const hintFor = (name: string): string | undefined => {
    const object = { apiVersion: "ex.io/v1", kind: "Claim", metadata: { name } };
    return diagnoseObject(kind, schema, object, "Claim").diagnostics[0]?.hint;
  };
  expect(hintFor("DbClaim1")).toBe("Write `name: dbclaim1`.");
  expect(hintFor("Db_Claim")).toBe("Write `name: db-claim`.");
  expect(hintFor("no such")).toBeUndefined();
});

test("custom kinds are checked by their schema", () => {
  const schema = crdSchema({
    type: "object",
    properties: { size: { type: "integer", minimum: 1 } },
  });
  const object = { apiVersion: "ex.io/v1", kind: "Thing", metadata: { name: "a" }, size: 0 };
  const kind = { group: "ex.io", version: "v1", kind: "Thing" };
  const { diagnostics } = diagnoseObject(kind, schema, object, "Thing a");
  expect(diagnostics.map((each) => each.summary)).toEqual([
    "Thing a is invalid: size: Invalid value: 0: size in body should be greater than or equal to 1",
  ]);
});
