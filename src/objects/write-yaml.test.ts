import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { readObjectsFromText } from "./read/read-objects.ts";
import facts from "../../test/facts/kubectl-written-yaml.json" with { type: "json" };
import { writeYaml, writeYamlValue } from "./write-yaml.ts";

test("objects are written as a person expects them", () => {
  const objects = [
    {
      data: { script: "one\n  two\n", long: `${"x".repeat(100)} ${"y".repeat(100)}`, empty: "" },
      items: [{ name: "a", ports: [1, 2] }, "b"],
      none: null,
      left: undefined,
      metadata: { name: "a", labels: { "1": "yes" } },
      kind: "ConfigMap",
      apiVersion: "v1",
    },
    { apiVersion: "v1", kind: "B", metadata: { name: "b" } },
  ];
  expect(writeYaml(objects)).toBe(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  labels:
    "1": "yes"
data:
  script: |
    one
      two
  long: ${"x".repeat(100)} ${"y".repeat(100)}
  empty: ""
items:
- name: a
  ports:
  - 1
  - 2
- b
none: null
---
apiVersion: v1
kind: B
metadata:
  name: b
`);
});

test.each<[JsonValue, string]>([
  ["yes", '"yes"'],
  ["y", '"y"'],
  ["0777", '"0777"'],
  ["0X1f", '"0X1f"'],
  ["1_000", '"1_000"'],
  ["1e_3", '"1e_3"'],
  ["0b-101", '"0b-101"'],
  ["1:30", '"1:30"'],
  ["2001-01-01", '"2001-01-01"'],
  ["~", '"~"'],
  [".inf", '".inf"'],
  ["<<", '"<<"'],
  ["*x", '"*x"'],
  ["a: b", '"a: b"'],
  ["a", "a"],
  ["a b:c", "a b:c"],
  ["{{ .x }}", '"{{ .x }}"'],
  [9007199254740993n, "9007199254740993"],
  [18446744073709551615n, "18446744073709551615"],
  [1.5, "1.5"],
  [true, "true"],
  ["a\r\nb", '"a\\r\\nb"'],
])("%s is written as %s", (value, expected) => {
  expect(writeYamlValue(value)).toBe(`${expected}\n`);
});

// Every text of this table was read back by kubectl's own YAML library as the value beside it.
test.each(facts as [string, string][])(
  "%j is written so that kubectl reads it back",
  (value, written) => {
    expect(writeYamlValue({ v: value, [value]: 1 })).toBe(written);
  },
);

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom("0", "1", "e", "x", "b", "_", "-", "+", ".", ":"),
    maxLength: 8,
  }),
  fc.string({
    unit: fc.constantFrom("a", " ", "\n", "\t", "#", "-", "|", "'", '"', "\\"),
    maxLength: 12,
  }),
  fc.constantFrom("yes", "no", "on", "off", "y", "null", "~", "", "---", "...", "=", "<<"),
);
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((number) => number + 0)
      // An integer that a double holds only by chance is written, and read, as the integer.
      .filter((number) => Number.isSafeInteger(number) || !Number.isInteger(number)),
    fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 64n - 1n }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test("what is written is read back the same", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (values) => {
      const objects = values.map((spec, index): KubernetesObject => ({
        apiVersion: "v1",
        kind: "A",
        metadata: { name: `a${index}` },
        spec,
      }));
      const read = readObjectsFromText("in.yaml", writeYaml(objects));
      expect(read.diagnostics).toEqual([]);
      expect(read.objects.map(({ object }) => object)).toEqual(objects);
    }),
    { numRuns: 1000 },
  );
});
