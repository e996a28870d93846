import { expect, it } from "vitest";
import type { JsonObject } from "../../json/index.ts";
import { parseJsonPath } from "../../objects/index.ts";
import { placeValue } from "./place-value.ts";

it("sets fields that are named like those that every object inherits", () => {
  const root: JsonObject = {};
  const { value: path } = parseJsonPath("{.__proto__.polluted}");
  expect(path !== undefined && placeValue(root, path, "yes")).toBe(true);
  expect(JSON.stringify(root)).toBe('{"__proto__":{"polluted":"yes"}}');
  expect({}).not.toHaveProperty("polluted");
});
