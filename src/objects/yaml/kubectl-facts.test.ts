import { expect, test } from "vitest";
import { type JsonValue, isJsonObject, parseJson, stringifyJson } from "../../json/index.ts";
import { buildValues } from "./build-values.ts";
import facts from "../../../test/facts/kubectl-yaml.json" with { type: "json" };
import { parseEvents } from "./parse-events.ts";

/**
 * What `sigs.k8s.io/yaml` 1.6, the library of kubectl 1.36, makes of each text: JSON, or null where
 * it refuses it.
 */
const known = new Map(
  facts as unknown as readonly (readonly [text: string, json: string | null])[],
);

/** Where the reader is meant to differ. */
const deviations: Readonly<Record<string, { readonly ours: string | null; readonly why: string }>> =
  {
    "a: 1\na: 2": { ours: null, why: "one value would be lost" },
    "{a: 1, a: 2}": { ours: null, why: "one value would be lost" },
    "true: a\n'true': a": { ours: null, why: "one value would be lost" },
    'v: "\\ud83d\\ude00"': { ours: '{"v":"😀"}', why: "JSON writes such characters so" },
    'v: ["\\ud83d\\ude00"]': { ours: '{"v":["😀"]}', why: "JSON writes such characters so" },
    '"\\ud83d\\ude00": v': { ours: '{"😀":"v"}', why: "JSON writes such characters so" },
    'a: "\\/"': { ours: '{"a":"/"}', why: "JSON writes slashes so" },
    "-0.0: v": { ours: '{"0":"v"}', why: "minus zero has no use" },
    "v: [!]": { ours: '{"v":[""]}', why: "YAML 1.2 allows an empty scalar there" },
    "v: [-]": { ours: null, why: "YAML 1.2 forbids a lone dash there" },
    "a: [\n\t1\n]": { ours: null, why: "tabs at the start of a line are refused everywhere" },
    "a: \u2028x": { ours: '{"a":"\u2028x"}', why: "YAML 1.2 has fewer line breaks" },
  };

test.each([...known])("%j is read as kubectl reads it", (text, json) => {
  const expected = Object.hasOwn(deviations, text) ? (deviations[text]?.ours ?? null) : json;
  expect(read(text)).toBe(expected === null ? null : normalize(parseJson(expected)));
});

test("deviations are of known texts, and are deviations", () => {
  for (const [text, { ours }] of Object.entries(deviations)) {
    expect(known.has(text)).toBe(true);
    expect(known.get(text)).not.toBe(ours);
  }
});

function read(text: string): string | null {
  const parsed = parseEvents(text);
  if (parsed.kind === "problem") return null;
  const { values, problems } = buildValues(text, parsed.events);
  return problems.length > 0 ? null : normalize(values[0] ?? null);
}

/** JSON with sorted keys and without minus zero, so that texts can be compared. */
function normalize(value: JsonValue): string {
  return stringifyJson(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return typeof value === "number" ? value + 0 : value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}
