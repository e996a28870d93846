import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, type JsonValue } from "../../json/index.ts";
import { evaluateJsonPath, evaluateTemplate } from "./evaluate.ts";
import known from "../../../test/facts/kubectl-json-path.json" with { type: "json" };
import { parseJsonPath } from "./parse-json-path.ts";
import { setAtJsonPath } from "./set-at-json-path.ts";

/** What client-go 0.36 prints for a template, with missing keys allowed and not; null is an error. */
const facts = known.facts as unknown as readonly (readonly [
  string,
  string | null,
  string | null,
])[];
const data = sorted(known.data);

/** Where the dialect is meant to differ: what is given with missing keys allowed, and not. */
const deviations: Readonly<Record<string, readonly [string | null, string | null]>> = {
  // Without braces it is a path.
  plain: ["", null],
  ".kind": ["List", "List"],
  "{foo}": ["", null],
  "{%}": ["", null],
  // A range over nothing looks for no fields.
  "{range .items[*]}{.metadata.name}:{range .spec.containers[*]}{.name},{end};{end}done": [
    "a:web,log,;b:db,;c:;done",
    "a:web,log,;b:db,;c:;done",
  ],
  "{range .empty[*]}{.x}{end}after": ["after", "after"],
  // A range without an end reaches to the end of the template, once.
  "{range .items[*]}{.metadata.name}": ["abc", "abc"],
  // A key in double quotes is taken as it is.
  '{.items["a"]}': ["", null],
};
const notCompared = new Set(["{..*}"]);

test.each(facts.filter(([path]) => !notCompared.has(path)))(
  "%j gives what kubectl gives",
  (path, lenient, strict) => {
    const expected = Object.hasOwn(deviations, path) ? deviations[path] : [lenient, strict];
    expect([print(path, true), print(path, false)]).toEqual(expected);
  },
);

function print(path: string, allowMissingKeys: boolean): string | null {
  const parsed = parseJsonPath(path);
  if (parsed.value === undefined) return null;
  const { value, diagnostics } = evaluateTemplate(parsed.value, data, { allowMissingKeys });
  return diagnostics.length > 0 ? null : value;
}

function find(path: string, value: JsonValue): readonly JsonValue[] | string {
  const parsed = parseJsonPath(path);
  if (parsed.value === undefined) return parsed.diagnostics.map(({ code }) => code).join();
  const found = evaluateJsonPath(parsed.value, value);
  return found.diagnostics.map(({ code }) => code).join() || found.value;
}

test.each<[string, JsonValue, readonly JsonValue[] | string]>([
  ["a.b", { a: { b: 1 } }, [1]],
  [".a.b", { a: { b: 1 } }, [1]],
  ["{a.b}", { a: { b: 1 } }, [1]],
  ["{.a}{.b}", { a: 1, b: 2 }, [1, 2]],
  ["['a']", { a: 1 }, [1]],
  ['["a.b/c]"]', { "a.b/c]": 1 }, [1]],
  ['["a","b"]', { a: 1, b: 2 }, [1, 2]],
  ["a\\.b", { "a.b": 1 }, [1]],
  ["..x", { x: 1, y: [{ x: 2 }] }, [1, 2]],
  ["..*", { a: [1] }, [[1], 1]],
  ["__proto__", {}, []],
  ["[?(@>1)]", [1, 2, 2n ** 60n], [2, 2n ** 60n]],
  ["[?(@==2)]", [1, 2.0], [2]],
  ["[3]", [1], "objects.json-path-evaluation"],
  ["[?(@.a==1)]", [{ a: "1" }], "objects.json-path-evaluation"],
  ["", {}, "objects.json-path-syntax"],
  ["[?(@.a && @.b)]", {}, "objects.json-path-syntax"],
  ["{.a", {}, "objects.json-path-syntax"],
])("%s", (path, value, expected) => {
  expect(find(path, value)).toEqual(expected);
});

test("a message names the path and what is wrong with it", () => {
  expect(parseJsonPath("{.a[?(@.x && @.y)]}").diagnostics).toEqual([
    {
      code: "objects.json-path-syntax",
      severity: "error",
      summary:
        "the JSON path {.a[?(@.x && @.y)]} cannot be parsed: kubectl's JSON path has no && or ||",
      hint: "Write two filters after each other for &&.",
    },
  ]);
});

test.each<[string, JsonValue, JsonValue, number]>([
  [".a.b", { a: { b: 1 } }, { a: { b: "new" } }, 1],
  [".a.c", { a: { b: 1 } }, { a: { b: 1, c: "new" } }, 1],
  [".x.y", { a: 1 }, { a: 1 }, 0],
  [".a[*].b", { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: "new" }, { b: "new" }] }, 2],
  [
    ".a[?(@.n=='x')].b",
    { a: [{ n: "x" }, { n: "y" }] },
    { a: [{ n: "x", b: "new" }, { n: "y" }] },
    1,
  ],
  [".a[-1]", { a: [1, 2] }, { a: [1, "new"] }, 1],
  [".a[0,1]", { a: [1, 2, 3] }, { a: ["new", "new", 3] }, 2],
  ["..b", { b: 1, a: { b: 2 } }, { b: "new", a: { b: "new" } }, 2],
  [".a.*", { a: { x: 1, y: 2 } }, { a: { x: "new", y: "new" } }, 2],
])("setting %s", (path, target, expected, places) => {
  const before = structuredClone(target);
  const parsed = parseJsonPath(path).value;
  const set = parsed && setAtJsonPath(parsed, target, "new");
  expect(set).toEqual({ value: { value: expected, places }, diagnostics: [] });
  expect(target).toEqual(before);
});

test.each(["{.a}{.b}", "{}", "..", "{range .a[*]}{.b}{end}", "{.a 'x'}", ".a[5]"])(
  "%s cannot be set",
  (path) => {
    const parsed = parseJsonPath(path).value;
    const set = parsed && setAtJsonPath(parsed, { a: [1] }, "new");
    expect(set?.diagnostics.map(({ code }) => code)).toEqual(["objects.json-path-evaluation"]);
    expect(set?.value).toEqual({ value: { a: [1] }, places: 0 });
  },
);

const piece = fc.constantFrom(
  ..."{ } [ ] ( ) . .. * , : ' \" \\ @ $ ? ?( [?( )] == < > ! && a b items 0 -1 1.5 range end true \n é".split(
    " ",
  ),
  " ",
);
const anyPath = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 25 }).map((pieces) => `{.items${pieces.join("")}}`),
);

test("no text makes parser or evaluator throw", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anyPath, fc.jsonValue({ maxDepth: 3 }), (text, value) => {
      const parsed = parseJsonPath(text);
      expect(parsed.value === undefined).toBe(parsed.diagnostics.length === 1);
      for (const target of [value as JsonValue, data]) {
        if (parsed.value === undefined) continue;
        evaluateTemplate(parsed.value, target);
        evaluateJsonPath(parsed.value, target, { allowMissingKeys: false });
        setAtJsonPath(parsed.value, target, null);
      }
    }),
    { numRuns: 3000 },
  );
});

test("a path that visits too much is given up", () => {
  let nested: JsonValue = [];
  for (let level = 0; level < 60; level++) nested = [nested];
  const path = parseJsonPath(`{${"[*,*]".repeat(40)}}`).value;
  const found = path && evaluateJsonPath(path, nested);
  expect(found?.diagnostics.map(({ summary }) => summary)).toEqual([
    expect.stringContaining("it visits too many values"),
  ]);
  const deep = parseJsonPath(`{${"[?(@".repeat(5000)}}`);
  expect(deep.diagnostics.map(({ code }) => code)).toEqual(["objects.json-path-syntax"]);
});

// Go prints the keys of objects sorted.
function sorted(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value as JsonValue;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
