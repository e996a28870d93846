import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../objects/index.ts";
import { readinessRules } from "../readiness/index.ts";
import { contentsHash, type OutputContents } from "./output-contents.ts";
import { outputNaming } from "./output-naming.ts";
import { outputName } from "./output-object.ts";

describe("the hash of contents", () => {
  it("does not follow the order of keys, nor whether a value is text or bytes", () => {
    const hash = contentsHash({ kind: "Secret", data: { username: "admin", password: "x" } });
    expect(hash).toMatch(/^[0-9a-f]{20}$/);
    expect(contentsHash({ kind: "Secret", data: { password: "x", username: "admin" } })).toBe(hash);
    const bytes = { username: Buffer.from("admin"), password: Buffer.from("x") };
    expect(contentsHash({ kind: "Secret", data: bytes, type: "Opaque" })).toBe(hash);
    expect(contentsHash({ kind: "ConfigMap", data: { host: "db", port: "5432" } })).toBe(
      "918c7bcc12e54d191531",
    );
  });

  it("is the same for any order of any keys, and another one for any other contents", () => {
    const entries = fc.uniqueArray(
      fc.tuple(fc.stringMatching(/^[-._a-zA-Z0-9]{1,8}$/), fc.string({ unit: "binary" })),
      { selector: ([key]) => key },
    );
    const data = (of: readonly (readonly [string, string])[]): Record<string, string> =>
      Object.fromEntries(of);
    fc.assert(
      fc.property(entries, entries, (left, right) => {
        const hash = contentsHash({ kind: "ConfigMap", data: data(left) });
        expect(contentsHash({ kind: "ConfigMap", data: data(left.toReversed()) })).toBe(hash);
        const isSame = isDeepStrictEqual(data(left), data(right));
        expect(contentsHash({ kind: "ConfigMap", data: data(right) }) === hash).toBe(isSame);
      }),
    );
  });

  it("differs with every content", () => {
    const bytes = Buffer.from("1");
    const contents: readonly OutputContents[] = [
      { kind: "Secret", data: {} },
      { kind: "Secret", data: { a: "1" } },
      { kind: "Secret", data: { a: "2" } },
      { kind: "Secret", data: { b: "1" } },
      { kind: "Secret", data: { a: "1", b: "1" } },
      { kind: "Secret", data: { a: "1" }, type: "kubernetes.io/basic-auth" },
      { kind: "ConfigMap" },
      { kind: "ConfigMap", data: { a: "1" } },
      { kind: "ConfigMap", data: { a: bytes.toString("base64") } },
      { kind: "ConfigMap", binaryData: { a: bytes } },
      { kind: "ConfigMap", data: { 'a","1': "" } },
    ];
    expect(new Set(contents.map(contentsHash)).size).toBe(contents.length);
  });
});

describe("the name of an output", () => {
  const claim = (name: string, spec: object = {}): KubernetesObject => ({
    apiVersion: "example.com/v1",
    kind: "Claim",
    metadata: { name, namespace: "shop" },
    spec,
  });
  const definition = (annotations: Readonly<Record<string, string>>): KubernetesObject => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "claims.example.com", annotations },
    spec: { group: "example.com", names: { kind: "Claim" } },
  });
  const keys = (more: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries({ ReadyWhenExistsKind: "Binding", ReadyWhenExistsVersion: "v1", ...more }).map(
        ([key, value]) => [`smith.atlassian.com/Tpr${key}`, value],
      ),
    );
  const both = keys({ OutputNameModeField: "spec.mode", OutputNameSetterField: "spec.name" });
  const label =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  const cases: readonly (readonly [
    annotations: Readonly<Record<string, string>>,
    spec: object,
    expected: string,
  ])[] = [
    [both, { mode: "Random" }, "Random"],
    [both, { mode: "ContentsHash" }, "ContentsHash"],
    [both, { mode: "Fixed", name: "my-secret" }, "Fixed my-secret"],
    [keys({}), {}, "ContentsHash"],
    [
      both,
      { mode: "Fixed" },
      "outputs.fixed-name: Claim.example.com shop/db: its mode is Fixed, and spec.name gives no name (Write a name into spec.name.)",
    ],
    [
      both,
      { mode: "Fixed", name: "" },
      "outputs.fixed-name: Claim.example.com shop/db: its mode is Fixed, and spec.name gives no name (Write a name into spec.name.)",
    ],
    [
      both,
      { mode: "Fixed", name: "My_Secret" },
      `outputs.fixed-name: Claim.example.com shop/db: spec.name is "My_Secret", which is no name: ${label} (Write lower-case letters, digits, dashes and dots, such as my-secret.)`,
    ],
    [
      both,
      { mode: "Fixed", name: 231864817236487163n },
      'outputs.fixed-name: Claim.example.com shop/db: spec.name is "231864817236487163", which is no name: it must be a text in quotes (Write lower-case letters, digits, dashes and dots, such as my-secret.)',
    ],
    [
      keys({ OutputNameModeField: "spec.mode" }),
      { mode: "Fixed", name: "a" },
      "outputs.fixed-name: Claim.example.com shop/db: its mode is Fixed, and its definition names no field for the name (Add the annotation OutputNameSetterField to the definition.)",
    ],
    [
      both,
      { mode: "fixed" },
      'outputs.unknown-mode: Claim.example.com shop/db: spec.mode is "fixed", which is no way to name an output (Write Random, ContentsHash, Fixed.)',
    ],
    [
      both,
      {},
      "outputs.unknown-mode: Claim.example.com shop/db: spec.mode does not say how its output is named (Write Random, ContentsHash, Fixed.)",
    ],
    [
      keys({ OutputNameSetterField: "spec.name" }),
      {},
      "readiness.incomplete-annotations: CustomResourceDefinition claims.example.com: smith.atlassian.com/TprOutputNameSetterField stands without smith.atlassian.com/TprOutputNameModeField (Add smith.atlassian.com/TprOutputNameModeField.)",
    ],
  ];
  it.each(cases)("%o %o", (annotations, spec, expected) => {
    const naming = outputNaming(claim("db", spec), readinessRules(definition(annotations)));
    const said =
      naming.kind === "refused"
        ? naming.diagnostics.map(({ code, summary, hint }) => `${code}: ${summary} (${hint ?? ""})`)
        : [naming.mode === "Fixed" ? `Fixed ${naming.name}` : naming.mode];
    expect(said).toEqual([expected]);
  });

  it("never becomes too long", () => {
    expect(outputName(claim("db"), "abc")).toBe("db-abc");
    const long = outputName(claim(`${"x".repeat(248)}.yyyy`), "abcdef");
    expect(long).toBe(`${"x".repeat(246)}-abcdef`);
  });
});
