import { type ConformanceCase, jsonStep } from "../case.ts";
import { definition, definitions, oneDefinition } from "./paths.ts";

const text = (maxLength?: number): object =>
  maxLength === undefined ? { type: "string" } : { type: "string", maxLength };
const number = { type: "integer" };
const list = (items: object, maxItems?: number): object =>
  maxItems === undefined ? { type: "array", items } : { type: "array", items, maxItems };

/** Fields so large that what a rule costs shows as a factor, and fields without any bound. */
const fields = {
  endless: text(),
  long: text(100_000),
  choice: { type: "string", enum: ["abc", "de"] },
  texts: list(text()),
  manyTexts: list(text(10), 100_000),
  numbers: list(number),
  manyNumbers: list(number, 200_000),
  map: { type: "object", additionalProperties: text() },
  largeMap: { type: "object", maxProperties: 150_000, additionalProperties: text(20) },
  objects: list(
    {
      type: "object",
      required: ["name"],
      properties: { name: text(63), port: number, tags: list(text(30), 20) },
    },
    70_000,
  ),
  endlessObjects: list({
    type: "object",
    required: ["name", "port"],
    properties: { name: text(63), port: number },
  }),
};

/** A definition with one rule about all fields; whether it is refused, and by which factor. */
function costs(rule: string): ConformanceCase {
  const spec = { type: "object", properties: fields, "x-kubernetes-validations": [{ rule }] };
  return tried(rule, spec);
}

function tried(name: string, spec: object): ConformanceCase {
  const body = definition({
    schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
  });
  const path = `${definitions}?dryRun=All`;
  const keep = ["reason", "code", "details.causes", "kind"];
  return { name, steps: [jsonStep("POST", path, body, { keep })] };
}

/** A rule of the items of a list or the values of a map, of which there may be many. */
function costsWithin(name: string, property: object): ConformanceCase {
  return tried(name, { type: "object", properties: { property } });
}

const ruled = (schema: object, rule: string, rest: object = {}): object => ({
  ...schema,
  "x-kubernetes-validations": [{ rule, ...rest }],
});

export const ruleCostCases: readonly ConformanceCase[] = [
  ...[
    "self.texts.all(x, x.startsWith('a'))",
    "self.manyTexts.all(x, x.startsWith('a'))",
    "self.manyTexts.exists(x, x == 'abc')",
    "self.numbers.all(x, x > 3)",
    "self.manyNumbers.all(x, x > 3)",
    "self.manyNumbers.exists_one(x, x > 3)",
    "self.manyNumbers.map(x, x + 1).size() > 3",
    "self.manyNumbers.filter(x, x > 1).size() > 3",
    "self.manyNumbers.all(x, !(x == 3) || -x > 2)",
    "self.manyNumbers.all(x, [x, x].size() > 2 && {'a': x}.a > 2)",
    "self.objects.all(o, o.name.matches('^[a-z]+$'))",
    "self.objects.all(a, self.objects.exists_one(b, a.name == b.name))",
    "self.objects.all(o, o.tags.all(t, t != 'x'))",
    "self.objects.all(o, 'x' in o.tags)",
    "self.objects.all(o, has(o.port) ? o.port > 1 : o.name != 'a')",
    "self.objects.map(o, o.name).all(x, x.size() > 2)",
    "self.endlessObjects.all(o, o.name.size() > 1 && o.port > 3)",
    "self.map.all(k, k.startsWith('a'))",
    "self.largeMap.all(k, self.largeMap[k].size() > 2)",
    "self.largeMap.all(k, v, v.startsWith(k))",
    "self.endless.matches('^[a-z]+(abc|def)?$')",
    "self.endless.contains('abc')",
    "self.long.contains(self.long)",
    "self.endless == self.long",
    "self.choice.matches('^a')",
    "self.endless.split(',').all(x, x.size() > 2)",
    "self.long.replace('a', 'bb').size() > 3",
    "self.manyTexts.join(',').size() > 3",
    "self.manyTexts.isSorted()",
    "self.manyTexts.all(x, self.manyTexts.filter(y, y == x).size() == 1)",
    "self.objects == oldSelf.objects && self.manyNumbers.all(x, self.objects == oldSelf.objects)",
    "self.manyNumbers.all(x, self.?long.optMap(y, y.size() > x).orValue(true))",
  ].map(costs),
  costsWithin(
    "items of an endless list",
    list(ruled(text(), "self.startsWith('a') && self != 'abcdefghijklm'")),
  ),
  costsWithin(
    "objects in an endless list",
    list(
      ruled(
        { type: "object", required: ["name"], properties: { name: text(20), count: number } },
        "self.name.matches('abc')",
      ),
    ),
  ),
  costsWithin(
    "items of lists in a list",
    list(list(ruled(text(50), "self.contains('a')"), 1000), 10_000),
  ),
  costsWithin("values of an endless map", {
    type: "object",
    additionalProperties: ruled(text(50), "self.matches('a')"),
  }),
  costsWithin("values of a small map", {
    type: "object",
    maxProperties: 100,
    additionalProperties: ruled(text(50), "self.contains('a')"),
  }),
  costsWithin(
    "a message that can be too long",
    ruled(list(text()), "true", { messageExpression: "self.map(x, x + 'a').join(',')" }),
  ),
  tried("many rules that are too much together", {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [
        `p${index}`,
        ruled(list(number, 300_000 - index), "self.all(x, x > 3 && x < 100 && x != 7 && x != 8)"),
      ]),
    ),
  }),
  {
    name: "a rule that becomes costly",
    steps: [
      jsonStep("POST", definitions, definitionOf("self.long.size() > 3"), { prepare: true }),
      jsonStep("PATCH", oneDefinition, patchOf("self.numbers.all(x, x > 3)"), {
        contentType: "application/merge-patch+json",
        keep: ["reason", "code", "details.causes"],
      }),
      jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
    ],
  },
];

function definitionOf(rule: string): object {
  return definition(versionOf(rule));
}

function versionOf(rule: string): {
  readonly schema: { readonly openAPIV3Schema: object };
} {
  const spec = ruled({ type: "object", properties: fields }, rule);
  return { schema: { openAPIV3Schema: { type: "object", properties: { spec } } } };
}

/** The same definition with another rule. */
function patchOf(rule: string): object {
  const version = { name: "v1", served: true, storage: true, ...versionOf(rule) };
  return { spec: { versions: [version] } };
}
