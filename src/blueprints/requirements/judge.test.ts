import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/index.ts";
import { parseYamlValue } from "../../objects/index.ts";
import { judge, requirementText, verdictText } from "./judge.ts";
import { readSelector } from "./requirement.ts";

/** A workload and one requirement, both as YAML; the verdict as people read it. */
function verdict(workload: string, requirement: string): string {
  const value = yaml(workload);
  const [read] = readSelector(
    { fields: [yaml(requirement)] },
    { labels: "labels", expressions: "expressions", fields: "fields" },
  );
  if (read === undefined) throw new Error("no requirement");
  const { spec = null, metadata = null } = value;
  return verdictText(judge(read, { labels: {}, root: { workload: value, spec, metadata } }));
}

function yaml(text: string): JsonObject {
  const parsed = parseYamlValue(text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return parsed.value as JsonObject;
}

describe("matchFields: every operator with every presence", () => {
  const presences: readonly (readonly [name: string, workload: string])[] = [
    ["missing", "spec: {}"],
    ["missing below a text", "spec: text"],
    ["null", "spec: {field: null}"],
    ["equal text", "spec: {field: a}"],
    ["other text", "spec: {field: b}"],
    ["empty text", 'spec: {field: ""}'],
    ["false", "spec: {field: false}"],
    ["zero", "spec: {field: 0}"],
    ["empty object", "spec: {field: {}}"],
    ["empty list", "spec: {field: []}"],
  ];
  /** For each presence the outcome of Exists, DoesNotExist, In [a], NotIn [a]. */
  const expected: Readonly<Record<string, string>> = {
    missing: "no yes no no",
    "missing below a text": "no yes no no",
    null: "no yes no no",
    "equal text": "yes no yes no",
    "other text": "yes no no yes",
    "empty text": "yes no no yes",
    false: "yes no no yes",
    zero: "yes no no yes",
    "empty object": "yes no no yes",
    "empty list": "yes no no yes",
  };
  it.each(presences)("%s", (name, workload) => {
    const outcomes = ["Exists", "DoesNotExist", "In, values: [a]", "NotIn, values: [a]"].map(
      (operator) =>
        verdict(workload, `{key: workload.spec.field, operator: ${operator}}`).split(": ").at(-1),
    );
    expect(outcomes.join(" ")).toBe(expected[name]);
  });
});

describe("matchFields: values are any JSON, compared with their type", () => {
  const values: readonly string[] = [
    "a",
    '"1"',
    "1",
    "1.5",
    "true",
    '"true"',
    "9007199254740993",
    "{x: 1}",
    "{x: 1, y: [1, 2]}",
    "[1, 2]",
    "[2, 1]",
    "[]",
    "{}",
  ];
  const pairs = values.flatMap((left) => values.map((right) => [left, right] as const));
  it.each(pairs)("%s In [%s]", (left, right) => {
    const isEqual = left === right;
    const workload = `spec: {field: ${left}}`;
    const key = "key: workload.spec.field";
    const isIn = verdict(workload, `{${key}, operator: In, values: [other, ${right}]}`);
    const notIn = verdict(workload, `{${key}, operator: NotIn, values: [other, ${right}]}`);
    expect(isIn.endsWith(isEqual ? ": yes" : ": no")).toBe(true);
    expect(notIn.endsWith(isEqual ? ": no" : ": yes")).toBe(true);
  });

  it("objects are equal whatever the order of their fields", () => {
    expect(
      verdict(
        "spec: {field: {a: 1, b: 2}}",
        "{key: workload.spec.field, operator: In, values: [{b: 2, a: 1}]}",
      ),
    ).toBe('workload.spec.field In [{"b":2,"a":1}]: yes');
  });
});

describe("matchFields: keys", () => {
  const workload = `
metadata: {name: web, labels: {a.b/c: x, app: web}}
spec:
  env: [{name: x, value: "1"}, {name: w, value: "2"}, {name: w, value: "3"}]
  source: {git: {url: u}}
`;
  const cases: readonly (readonly [key: string, operator: string, expected: string])[] = [
    ["workload.spec.source.git", "Exists", "yes"],
    ["spec.source.git", "Exists", "yes"],
    ["metadata.labels.app", "In, values: [web]", "yes"],
    ["metadata.labels['a.b/c']", "In, values: [x]", "yes"],
    ["workload.metadata.labels['a.b/c']", "In, values: [x]", "yes"],
    ['spec.env[?(@.name=="x")].value', 'In, values: ["1"]', "yes"],
    ['spec.env[?(@.name=="z")].value', "Exists", "no"],
    ['spec.env[?(@.name=="z")].value', "DoesNotExist", "yes"],
    ["spec.env[0].name", "In, values: [x]", "yes"],
    ["spec.env[7].name", "Exists", "no"],
    ["spec.env[7].name", "DoesNotExist", "yes"],
    ["spec.source[0]", "DoesNotExist", "yes"],
    [
      'spec.env[?(@.name=="w")].value',
      "Exists",
      'spec.env[?(@.name=="w")].value leads to 2 values, and must lead to one',
    ],
    ["spec.env[", "Exists", "the JSON path spec.env[ cannot be parsed: a bracket is not closed"],
  ];
  it.each(cases)("%s %s: %s", (key, operator, expected) => {
    const text = verdict(workload, `{key: ${JSON.stringify(key)}, operator: ${operator}}`);
    expect(text.slice(text.indexOf(": ") + 2)).toBe(expected);
  });
});

describe("labels", () => {
  const cases: readonly (readonly [
    selector: JsonObject,
    labels: Record<string, string>,
    string,
  ])[] = [
    [{ l: { app: "web" } }, { app: "web" }, "label app = web: yes"],
    [{ l: { app: "web" } }, { app: "api" }, "label app = web: no"],
    [{ l: { app: "web" } }, {}, "label app = web: no"],
    [
      { e: [{ key: "app", operator: "In", values: ["a", "b"] }] },
      { app: "b" },
      'label app In ["a", "b"]: yes',
    ],
    [{ e: [{ key: "app", operator: "NotIn", values: ["a"] }] }, {}, 'label app NotIn ["a"]: yes'],
    [
      { e: [{ key: "app", operator: "NotIn", values: ["a"] }] },
      { app: "a" },
      'label app NotIn ["a"]: no',
    ],
    [{ e: [{ key: "app", operator: "Exists" }] }, { app: "" }, "label app Exists: yes"],
    [{ e: [{ key: "app", operator: "Exists" }] }, {}, "label app Exists: no"],
    [{ e: [{ key: "app", operator: "DoesNotExist" }] }, {}, "label app DoesNotExist: yes"],
    [{ e: [{ key: "toString", operator: "Exists" }] }, {}, "label toString Exists: no"],
  ];
  it.each(cases)("%j on %j: %s", (selector, labels, expected) => {
    const [requirement] = readSelector(selector, { labels: "l", expressions: "e", fields: "f" });
    if (requirement === undefined) throw new Error("no requirement");
    expect(verdictText(judge(requirement, { labels, root: {} }))).toBe(expected);
    expect(expected.startsWith(requirementText(requirement))).toBe(true);
  });
});
