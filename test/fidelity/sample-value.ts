import type { JsonObject, JsonValue } from "../../src/json/index.ts";
import type { Chance } from "../faults/simulation/chance.ts";
import type { KindSchema } from "./open-api.ts";

type Some<Value> = readonly [Value, ...(readonly Value[])];

/** Texts at the edges of what fields of Kubernetes accept: names, keys, addresses, amounts, times, paths. */
export const texts: Some<string> = [
  "",
  " ",
  "a",
  "a-b",
  "A",
  "Nonsense",
  "a.b",
  "a.b.example.com",
  "a/b",
  "a/b/c",
  "example.com/a",
  "Example.com/a_b",
  "/a",
  "/a/../b",
  "../a",
  "..",
  ".",
  ".a",
  "-a",
  "a-",
  "a_b",
  "a b",
  "a..b",
  "a--b",
  "a,b",
  "a=b",
  "a:b",
  "x".repeat(16),
  "x".repeat(64),
  "x".repeat(254),
  "x".repeat(1100),
  "ünï",
  "10.0.0.1",
  "010.0.0.1",
  "300.0.0.1",
  "127.0.0.1",
  "0.0.0.0",
  "169.254.1.1",
  "::1",
  "2001:db8::1",
  "10.0.0.0/8",
  "10.0.0.1/8",
  "2001:db8::/32",
  "0",
  "1",
  "-1",
  "80",
  "65536",
  "1.5",
  "50%",
  "101%",
  "-5%",
  "1Gi",
  "1x",
  "10m",
  "5s",
  "*",
  "*.a.b",
  "http://a.b",
  "https://a.b/c",
  "$(A)",
  "metadata.name",
  "spec.nodeName",
  "@daily",
  "* * * * *",
  "61 * * * *",
  "2020-01-01T00:00:00Z",
  "0-5",
  "3-1",
  "True",
];

const integers: Some<number> = [
  -2, -1, 0, 1, 2, 3, 9, 10, 11, 15, 30, 31, 63, 64, 99, 100, 101, 511, 512, 600, 1000, 30_000,
  65_535, 65_536, 86_400, 86_401, 2_147_483_647,
];

const quantities: Some<string> = ["0", "-1", "1", "1.5", "1m", "100m", "1Gi", "3Ti", "1e3", "0.1m"];

const intsOrTexts: Some<JsonValue> = [
  -1,
  0,
  1,
  2,
  80,
  65_536,
  "50%",
  "101%",
  "-1%",
  "a",
  "web",
  "",
];

const deepest = 4;

/** Some value of the type that a schema asks for; whether it makes sense is for the servers to say. */
export function sampleValue(schema: KindSchema, chance: Chance, depth = 0): JsonValue {
  const { node } = schema;
  const [first, ...others] = node.enum ?? [];
  if (first !== undefined) return chance.one([first, ...others]);
  if (isIntOrString(schema)) return chance.one(intsOrTexts);
  if (isQuantity(schema)) return chance.one(quantities);
  switch (node.type) {
    case "string":
      return sampleText(node.format, chance);
    case "integer":
    case "number":
      return chance.one(integers);
    case "boolean":
      return chance.isOnceIn(2);
    case "array": {
      const items = schema.items();
      if (items === undefined || depth >= deepest) return [];
      return Array.from({ length: chance.between(1, 2) }, () =>
        sampleValue(items, chance, depth + 1),
      );
    }
    case "object":
      return sampleObject(schema, chance, depth);
    case undefined:
    default:
      return chance.one<JsonValue>([{}, { a: "b" }, "a", 1]);
  }
}

function sampleText(format: string | undefined, chance: Chance): string {
  switch (format) {
    case "date-time":
      return chance.one(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000000Z", "2020-01-01"]);
    case "byte":
      return chance.one(["", "YQ==", "e30="]);
    case undefined:
    default:
      return chance.one(texts);
  }
}

function sampleObject(schema: KindSchema, chance: Chance, depth: number): JsonObject {
  const value = schema.property("any");
  if (schema.isMap && value !== undefined) {
    const key = chance.one(texts.filter((text) => text !== "") as unknown as Some<string>);
    return { [key]: sampleValue(value, chance, depth + 1) };
  }
  const { required = [] } = schema.node;
  return Object.fromEntries(
    schema
      .properties()
      .filter(([name]) => required.includes(name) || (depth < deepest && chance.isOnceIn(4)))
      .map(([name, each]) => [name, sampleValue(each, chance, depth + 1)]),
  );
}

export function isIntOrString({ node }: KindSchema): boolean {
  return (
    node.format === "int-or-string" ||
    node["x-kubernetes-int-or-string"] === true ||
    (node.oneOf?.some(({ type }) => type === "integer") === true && node.oneOf.length === 2)
  );
}

export function isQuantity({ node }: KindSchema): boolean {
  return node.oneOf?.some(({ type }) => type === "number") === true;
}

export const boundaryIntegers = integers;
export const boundaryQuantities = quantities;
export const boundaryIntsOrTexts = intsOrTexts;
