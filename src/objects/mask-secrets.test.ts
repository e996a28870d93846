import { expect, test } from "vitest";
import { maskFilledText, maskSecrets, maskSecretsPair, secretValues } from "./mask-secrets.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const secret = (data: unknown, rest: object = {}): object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "a" },
  data,
  ...rest,
});

/** A ConfigMap that names fields as secret. */
const named = (fields: string, data: object): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { annotations: { "keelson.dev/secret-fields": fields } },
  data,
});

/** A ConfigMap whose .data.url is filled in when it is applied. */
const filled = (kind: string, data: object): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    annotations: {
      "config.kubernetes.io/apply-time-mutation": `[{sourceRef: {kind: ${kind}, name: s}, sourcePath: $.data.a, targetPath: $.data.url, token: x}]`,
    },
  },
  data,
});

test.each([
  [
    "data and stringData",
    secret({ a: "eA==", b: "" }, { stringData: { c: "x" } }),
    secret({ a: "***", b: "***" }, { stringData: { c: "***" } }),
  ],
  ["data that is no mapping", secret("x"), secret("***")],
  ["no data", secret(null), secret(null)],
  [
    "a List of Lists",
    { kind: "List", items: [{ kind: "List", items: [secret({ a: "x" })] }] },
    { kind: "List", items: [{ kind: "List", items: [secret({ a: "***" })] }] },
  ],
  [
    "what kubectl applied last",
    secret(
      {},
      { metadata: { annotations: { [lastApplied]: JSON.stringify(secret({ a: "x" })), b: "c" } } },
    ),
    secret(
      {},
      {
        metadata: { annotations: { [lastApplied]: JSON.stringify(secret({ a: "***" })), b: "c" } },
      },
    ),
  ],
  [
    "what kubectl applied last, broken",
    secret({}, { metadata: { annotations: { [lastApplied]: '{"data":{"a":"x"}}' } } }),
    secret({}, { metadata: { annotations: { [lastApplied]: "***" } } }),
  ],
  [
    "managed fields stay",
    secret({}, { metadata: { managedFields: [{ fieldsV1: { "f:data": {} } }] } }),
    secret({}, { metadata: { managedFields: [{ fieldsV1: { "f:data": {} } }] } }),
  ],
  [
    "a Secret of another group stays",
    { apiVersion: "example.com/v1", kind: "Secret", data: { a: "x" } },
    { apiVersion: "example.com/v1", kind: "Secret", data: { a: "x" } },
  ],
  [
    "what is taken from a Secret when it is applied",
    filled("Secret", { url: "postgres://hunter2@db", plain: "x" }),
    filled("Secret", { url: "***", plain: "x" }),
  ],
  [
    "what is taken from another object stays",
    filled("ConfigMap", { url: "x" }),
    filled("ConfigMap", { url: "x" }),
  ],
  ["what would be taken has no place", filled("Secret", {}), filled("Secret", {})],
  [
    "what an object says is secret",
    named('[["data","key"],["data","gone"],["spec",0,"x"]]', { key: "hunter2", plain: "x" }),
    named('[["data","key"],["data","gone"],["spec",0,"x"]]', { key: "***", plain: "x" }),
  ],
  [
    "a ConfigMap stays",
    { apiVersion: "v1", kind: "ConfigMap", data: { a: "x" } },
    { apiVersion: "v1", kind: "ConfigMap", data: { a: "x" } },
  ],
])("%s", (_what, object, expected) => {
  const before = structuredClone(object);
  expect(maskSecrets(object)).toEqual(expected);
  expect(object).toEqual(before);
});

test("a pair shows that what is taken from a Secret differs", () => {
  const plain = { ...filled("Secret", {}), metadata: {}, data: { url: "hunter3", a: "2" } };
  const before = filled("Secret", { url: "hunter2", a: "1" });
  expect(maskSecretsPair(before, plain)).toEqual({
    before: filled("Secret", { url: "*** (before)", a: "1" }),
    after: { ...plain, data: { url: "*** (after)", a: "2" } },
  });
  expect(maskSecretsPair(before, before).after).toEqual(filled("Secret", { url: "***", a: "1" }));
});

test("a pair shows what differs, and nothing else", () => {
  const before = { items: [secret({ same: "x", changed: "x", gone: "x" })] };
  const after = { items: [secret({ same: "x", changed: "y", added: "y" }), secret({ a: "z" })] };
  expect(maskSecretsPair(before, after)).toEqual({
    before: { items: [secret({ same: "***", changed: "*** (before)", gone: "***" })] },
    after: {
      items: [secret({ same: "***", changed: "*** (after)", added: "***" }), secret({ a: "***" })],
    },
  });
  const applied = (text: string): object =>
    secret({}, { metadata: { annotations: { [lastApplied]: text } } });
  expect(JSON.stringify(maskSecretsPair(applied("hunter2"), applied("hunter3")))).not.toContain(
    "hunter",
  );
  expect(maskSecretsPair(undefined, secret({ a: "x" }))).toEqual({
    before: undefined,
    after: secret({ a: "***" }),
  });
});

test.each(["[", "{}", '["data",[]]', '[["data",null]]'])("names that are none: %s", (text) => {
  expect(maskSecrets(named(text, { key: "x" }))).toEqual(named(text, { key: "x" }));
});

test("what an object says is secret differs in a pair, and is in no message", () => {
  const [before, after] = [
    named('[["data","key"]]', { key: "hunter2" }),
    named("[]", { key: "hunter3" }),
  ];
  expect(maskSecretsPair(before, after)).toEqual({
    before: named('[["data","key"]]', { key: "*** (before)" }),
    after: named("[]", { key: "*** (after)" }),
  });
  expect(maskFilledText("hunter2 is too short", before)).toBe("*** is too short");
});

test("the values of Secrets are what stands in them, decoded too, and nothing of other objects", () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", data: { a: "x" } };
  const found = secretValues([
    secret({ a: "aHVudGVyMg==", empty: "" }, { stringData: { b: "plain" } }),
    secret(undefined),
    map,
    undefined,
  ]);
  expect(found).toEqual(["aHVudGVyMg==", "hunter2", "plain"]);
});
