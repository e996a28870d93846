import { expect, test } from "vitest";
import type { JsonObject } from "../json/index.ts";
import { crdSchema, formatFieldError } from "../schema/index.ts";
import { definitionRuleErrors } from "./definition-rule-errors.ts";
import { validationErrors } from "./validation-errors.ts";

const spec: JsonObject = {
  type: "object",
  "x-kubernetes-validations": [
    { rule: "!has(self.min) || self.min <= self.max", message: "min must not exceed max" },
  ],
  properties: {
    min: { type: "integer" },
    max: { type: "integer" },
    fixed: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    list: {
      type: "array",
      items: { type: "string", "x-kubernetes-validations": [{ rule: "self == 'right'" }] },
    },
    slow: {
      type: "array",
      items: { type: "integer" },
      "x-kubernetes-validations": [
        { rule: "self.all(a, self.all(b, self.all(c, a + b + c > 0)))", message: "slow" },
      ],
    },
  },
};
const schema = crdSchema({ type: "object", properties: { spec } });

/** A new spec, the old one, and the lines that the server would print. */
function check(value: JsonObject, old: JsonObject | undefined, expected: readonly string[]): void {
  const errors = validationErrors(
    schema,
    { spec: value },
    old === undefined ? undefined : { spec: old },
  );
  expect(errors.map(formatFieldError)).toEqual(expected);
}

test("rules judge values", () => {
  check({ min: 1, max: 2 }, undefined, []);
  check({ min: 3, max: 2 }, undefined, ["spec: Invalid value: min must not exceed max"]);
  check({ min: 3 }, undefined, [
    'spec: Invalid value: "object": no such key: max evaluating rule: min must not exceed max',
  ]);
});

test("transitions need something to compare with", () => {
  check({ fixed: "b" }, undefined, []);
  check({ fixed: "b" }, {}, []);
  check({ fixed: "b" }, { fixed: "a" }, [
    'spec.fixed: Invalid value: "b": failed rule: self == oldSelf',
  ]);
});

test("what was wrong and has not changed may stay", () => {
  const wrong = "spec.list[0]: Invalid value: \"wrong\": failed rule: self == 'right'";
  check({ list: ["wrong"] }, undefined, [wrong]);
  check({ list: ["wrong"], min: 1, max: 1 }, { list: ["wrong"] }, []);
  check({ list: ["wrong", "right"] }, { list: ["wrong"] }, [wrong]);
});

test("a rule that does not end is stopped, and those after it", () => {
  const slow = Array.from({ length: 10_000 }, () => 1);
  check({ list: [], slow }, undefined, [
    "spec.slow: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: slow",
  ]);
});

test("definitions with two versions name the version", () => {
  const broken = {
    name: "v1",
    schema: {
      openAPIV3Schema: {
        type: "object",
        "x-kubernetes-validations": [{ rule: "self.metadata.labels.size() == 0" }],
      },
    },
  };
  const definition = { spec: { versions: [{ ...broken, name: "v2" }, broken] } };
  expect(definitionRuleErrors(definition, undefined).map(({ field }) => field)).toEqual(
    [0, 1].map(
      (index) => `spec.versions[${index}].schema.openAPIV3Schema.x-kubernetes-validations[0].rule`,
    ),
  );
});
