import { expect, it } from "vitest";
import type { JsonValue } from "../../json/index.ts";
import { goText } from "./go-text.ts";
import { goYaml } from "./go-yaml.ts";

const cases: readonly (readonly [value: JsonValue, yaml: string])[] = [
  ["main", "main\n"],
  ["8080", '"8080"\n'],
  [8080, "8080\n"],
  ["a: b", "'a: b'\n"],
  ["", '""\n'],
  [{}, "{}\n"],
  [{ a10: 1, a2: [] }, "a2: []\na10: 1\n"],
  [{ a: { b: { c: 1 } } }, "a:\n    b:\n        c: 1\n"],
  [{ a: [{ b: 1, c: { d: 2 } }, "e"] }, "a:\n    - b: 1\n      c:\n        d: 2\n    - e\n"],
  [[[1, 2], [3]], "- - 1\n  - 2\n- - 3\n"],
  [{ text: "1\n 2" }, "text: |-\n    1\n     2\n"],
];

it.each(cases)("%j is laid out as in Cartographer's previews", (value, yaml) => {
  expect(goYaml(value)).toBe(yaml);
});

it("prints values as Go does", () => {
  expect(goText({ b: ["x", 1], a: { c: true, d: null } })).toBe(
    "map[a:map[c:true d:<nil>] b:[x 1]]",
  );
});
