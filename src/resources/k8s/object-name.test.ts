import { describe, expect, test } from "vitest";
import { contentsSuffix } from "./contents-suffix.ts";
import { kebabCase, nameFromId, nameFromScope, withSuffix } from "./object-name.ts";

test.for([
  ["ConfigMap", "config-map"],
  ["HTTPRoute", "http-route"],
  ["APIService", "api-service"],
  ["cluster/utils", "cluster-utils"],
  ["myApi_v2", "my-api-v2"],
  ["--x--", "x"],
] as const)("%s is %s in kebab-case", ([text, expected]) => {
  expect(kebabCase(text)).toBe(expected);
});

test.for([
  ["api", "api"],
  ["2/api", "api-2"],
  ["eu/2/api", "eu-api-2"],
  ["a.b", "a-b"],
] as const)("the id %s names the object %s", ([id, expected]) => {
  expect(nameFromId(id)).toBe(expected);
});

describe("long names", () => {
  const scope = "Very".repeat(30);

  test("keep their hash and their end", () => {
    const name = nameFromScope(scope, "ConfigMap", "dev:shop:main:keelson:k8s/ConfigMap");
    expect(name).toMatch(/^[a-z][-a-z]*-config-map-[0-9a-f]{6}$/);
    expect(name.length).toBeLessThanOrEqual(63);
  });

  test("keep a suffix", () => {
    expect(withSuffix("x".repeat(63), "abc123")).toMatch(/^x{56}-abc123$/);
  });
});

describe("the suffix of contents", () => {
  const object = { kind: "ConfigMap", metadata: { name: "a" }, data: { a: "1", b: "2" } };

  test("is the same for the same contents in another order and with other metadata", () => {
    const same = { ...object, metadata: { name: "b" }, data: { b: "2", a: "1" } };
    expect(contentsSuffix(same)).toBe(contentsSuffix(object));
  });

  test("differs with the contents", () => {
    const suffixes = [
      object,
      { ...object, data: { a: "1" } },
      { ...object, binaryData: { a: "1" } },
      { ...object, immutable: true },
    ].map(contentsSuffix);
    expect(new Set(suffixes).size).toBe(4);
  });
});
