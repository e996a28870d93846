import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../json/index.ts";
import { crdSchema } from "../schema/index.ts";
import { compileCel, evaluate } from "./compile-cel.ts";
import { readableValue } from "../../test/cel/readable-value.ts";
import { validationErrors } from "./validation-errors.ts";

const leaf = fc.constantFrom(
  ..."1 -3 0 2.5 7u 'a' 'x-y.z' '' b'a' true null [] {} [1,2] ['a'] {'a':1}".split(" "),
  ..."self self.text self.count self.list self.map self.port x oldSelf".split(" "),
  ..."timestamp('2024-01-01T00:00:00Z') duration('1h')".split(" "),
  ..."quantity('1Gi') ip('::1') url('https://a/') semver('1.2.3') optional.of(1)".split(" "),
);

const methods = [
  ..."size sum min sort distinct trim lowerAscii hasValue value family getFullYear".split(" "),
  ..."asInteger getHost flatten reverse first nothing major".split(" "),
];
const methodsOfOne = [
  ..."matches find split indexOf charAt substring startsWith contains add compareTo".split(" "),
  ..."orValue or join format containsIP getHours".split(" "),
];
const functions = [
  "size",
  "int",
  "string",
  "double",
  "type",
  "dyn",
  "quantity",
  "url",
  "ip",
  "timestamp",
];
const operators = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "in"];

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie("expression"), fc.constantFrom(...operators), tie("expression"))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc
      .tuple(tie("expression"), fc.constantFrom(...methods))
      .map(([target, method]) => `${target}.${method}()`),
    fc
      .tuple(tie("expression"), fc.constantFrom(...methodsOfOne), tie("expression"))
      .map(([target, method, argument]) => `${target}.${method}(${argument})`),
    fc
      .tuple(fc.constantFrom(...functions), tie("expression"))
      .map(([name, argument]) => `${name}(${argument})`),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom("all", "exists", "map", "filter", "exists_one", "sortBy", "optMap"),
        tie("expression"),
      )
      .map(([range, macro, body]) => `${range}.${macro}(x, ${body})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([condition, then, otherwise]) => `(${condition} ? ${then} : ${otherwise})`),
    fc.tuple(tie("expression"), tie("expression")).map(([list, index]) => `${list}[${index}]`),
    tie("expression").map((each) => `dyn(${each})`),
  ),
}));

const schema = crdSchema({
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer" },
    list: { type: "array", items: { type: "integer" } },
    map: { type: "object", additionalProperties: { type: "string" } },
    port: { "x-kubernetes-int-or-string": true },
  },
});
const costLimit = 20_000;

/** Everything that an expression does with a value, as text. */
function outcome(text: string, self: JsonValue, isTyped: boolean): string {
  const variable = isTyped ? { schema } : {};
  const compilation = compileCel(text, { self: variable, oldSelf: variable, x: {} });
  if (compilation.kind === "problems") return compilation.text;
  const result = evaluate(compilation.program, { self, oldSelf: self, x: self }, { costLimit });
  return result.kind === "value" ? readableValue(result.value) : JSON.stringify(result);
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

test("an expression has a value or says why not, twice the same", () => {
  fc.assert(
    fc.property(expression, json, fc.boolean(), (text, self, isTyped) => {
      expect(outcome(text, self, isTyped)).toBe(outcome(text, self, isTyped));
    }),
    { numRuns: 2000 },
  );
});

test("any text is an expression or no expression", () => {
  const word = fc.constantFrom(
    ..."self . ( ) [ ] { } ' \" \\ + && || ? : , 1 .5 0x b r in has all x".split(" "),
  );
  const noise = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(word).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(noise, (text) => {
      expect(typeof outcome(text, { a: 1 }, false)).toBe("string");
    }),
    { numRuns: 2000 },
  );
});

test("rules judge any object", () => {
  fc.assert(
    fc.property(expression, json, json, (rule, value, old) => {
      const ruled = crdSchema({
        type: "object",
        properties: { spec: { type: "object", "x-kubernetes-validations": [{ rule }] } },
      });
      const errors = validationErrors(ruled, { spec: value }, { spec: old });
      expect(errors.every(({ detail }) => detail !== "")).toBe(true);
    }),
    { numRuns: 500 },
  );
});
