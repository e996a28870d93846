import { expect, test } from "vitest";
import { locateJsonPath } from "./locate-json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

const value = {
  image: "top",
  spec: { list: [{ name: "a", image: "one" }, { name: "b", image: "two" }, {}], size: 3 },
};

test.each<readonly [path: string, found: readonly string[] | string]>([
  ["{.image}", ["image"]],
  ["{.spec.list[0].image}", ["spec.list.0.image"]],
  ["{.spec.list[-1]}", ["spec.list.2"]],
  ["{.spec.list[*].image}", ["spec.list.0.image", "spec.list.1.image"]],
  ["{.spec.list[?(@.name=='b')].image}", ["spec.list.1.image"]],
  ["{.spec.list[0:2]}", ["spec.list.0", "spec.list.1"]],
  ["{..image}", ["image", "spec.list.0.image", "spec.list.1.image"]],
  ["{.spec['list','size']}", ["spec.list", "spec.size"]],
  ["{.none.image}", []],
  ["{.spec.size.image}", []],
  ["{$}", [""]],
  ["a{.image}", "only a single path has a place, not a template"],
  ["{.spec..}", "its last step is no single field, index, slice or filter"],
])("%s", (text, found) => {
  const path = parseJsonPath(text).value;
  if (path === undefined) throw new Error(`${text} does not parse`);
  const { value: places, diagnostics } = locateJsonPath(path, value);
  const problem = diagnostics[0]?.summary.replace(/^.* cannot be applied: /, "");
  expect(problem ?? places.map((place) => place.join("."))).toEqual(found);
});
