import type { JsonObject, JsonValue } from "../../src/json/index.ts";
import type { Chance } from "../faults/simulation/chance.ts";

const group = "random.fidelity.example.com";

interface CustomKind {
  readonly apiVersion: string;
  readonly plural: string;
  readonly kind: string;
}

export function customKind(index: number): CustomKind {
  return { apiVersion: `${group}/v1`, plural: `things${index}`, kind: `Thing${index}` };
}

export interface AnyDefinition {
  readonly definition: JsonObject;
  readonly schema: JsonObject;
  /** An object that the schema allows. */
  readonly object: JsonObject;
}

/** A definition with a random structural schema, and an object that it allows. */
export function anyDefinition(chance: Chance, index: number): AnyDefinition {
  const { apiVersion, plural, kind } = customKind(index);
  const spec = anyObject(chance, 0);
  const schema: JsonObject = {
    type: "object",
    required: ["spec"],
    properties: { spec: spec.schema, fixed },
  };
  const definition: JsonObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  return {
    definition,
    schema,
    object: { apiVersion, kind, metadata: { name: "any" }, spec: spec.value, fixed: "a" },
  };
}

/** Not inside of lists, whose items have no old value to compare with. */
const fixed: JsonObject = {
  type: "string",
  "x-kubernetes-validations": [{ rule: "self == oldSelf" }],
};

/** A schema and a value that it allows. */
interface Allowed {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

type Maker = (chance: Chance, depth: number) => Allowed;

const deepest = 3;

const scalars: readonly [Maker, ...Maker[]] = [
  () => ({ schema: { type: "string" }, value: "a" }),
  () => ({ schema: { type: "string", minLength: 2, maxLength: 5 }, value: "abc" }),
  () => ({ schema: { type: "string", pattern: "^[a-c]+(\\.[a-c]+)?$" }, value: "abc" }),
  () => ({ schema: { type: "string", enum: ["One", "Two"] }, value: "One" }),
  () => ({ schema: { type: "string", nullable: true }, value: "a" }),
  () => ({ schema: { type: "string", default: "given" }, value: "a" }),
  (chance) => {
    const [format, value] = chance.one(formats);
    return { schema: { type: "string", format }, value };
  },
  () => ({ schema: { type: "integer" }, value: 3 }),
  () => ({ schema: { type: "integer", minimum: 1, maximum: 10 }, value: 5 }),
  () => ({
    schema: {
      type: "integer",
      format: "int32",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 100,
      exclusiveMaximum: true,
    },
    value: 50,
  }),
  () => ({ schema: { type: "integer", format: "int64", multipleOf: 3 }, value: 9 }),
  () => ({ schema: { type: "number", minimum: 0.5 }, value: 1.5 }),
  () => ({ schema: { type: "boolean" }, value: true }),
  () => ({ schema: { "x-kubernetes-int-or-string": true }, value: "a" }),
  () => ({
    schema: { "x-kubernetes-int-or-string": true, pattern: "^[0-9]+%?$" },
    value: "10%",
  }),
  () => ({ schema: { "x-kubernetes-preserve-unknown-fields": true }, value: { any: [1] } }),
];

const formats: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ["date-time", "2020-01-01T00:00:00Z"],
  ["date", "2020-01-01"],
  ["duration", "5s"],
  ["ipv4", "10.0.0.1"],
  ["ipv6", "2001:db8::1"],
  ["cidr", "10.0.0.0/8"],
  ["uri", "https://a.b/c"],
  ["email", "a@example.com"],
  ["hostname", "a.example.com"],
  ["uuid", "6b79dec4-b819-4a9b-b382-9ca70ad6f5a5"],
  ["byte", "YQ=="],
  ["mac", "00:00:5e:00:53:01"],
];

const nested: readonly [Maker, ...Maker[]] = [
  anyObject,
  (chance, depth) => {
    const item = anyValue(chance, depth + 1);
    return {
      schema: { type: "array", items: item.schema, minItems: 1, maxItems: 3 },
      value: [item.value],
    };
  },
  () => ({
    schema: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    value: ["a", "b"],
  }),
  (chance, depth) => {
    const below = anyValue(chance, depth + 1);
    return {
      schema: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, value: below.schema },
        },
      },
      value: [{ name: "a", value: below.value }, { name: "b" }],
    };
  },
  (chance, depth) => {
    const below = anyValue(chance, depth + 1);
    return {
      schema: {
        type: "object",
        additionalProperties: below.schema,
        minProperties: 1,
        maxProperties: 2,
      },
      value: { a: below.value },
    };
  },
  () => ({
    schema: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "!has(self.a) || !has(self.b) || self.a <= self.b" }],
    },
    value: { a: 1, b: 2 },
  }),
  () => ({
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    value: { a: "c" },
  }),
  () => ({
    schema: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string" } },
      anyOf: [{ properties: { a: { minimum: 5 } } }, { required: ["b"] }],
    },
    value: { a: 7, b: "c" },
  }),
];

function anyValue(chance: Chance, depth: number): Allowed {
  const maker = depth < deepest && chance.isOnceIn(3) ? chance.one(nested) : chance.one(scalars);
  return maker(chance, depth);
}

function anyObject(chance: Chance, depth: number): Allowed {
  const fields = Array.from({ length: chance.between(2, depth === 0 ? 10 : 4) }, (_, index) => {
    const allowed = anyValue(chance, depth + 1);
    return { name: `f${index}`, ...allowed, isRequired: chance.isOnceIn(3) };
  });
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
    },
    value: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  };
}
