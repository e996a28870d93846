import { expect, it } from "vitest";
import { fileProblems } from "../../scripts/release/package-files.ts";

const manifest = {
  exports: {
    ".": { types: "./dist/types/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
};
const whole = [
  "CHANGELOG.md",
  "LICENSE",
  "bin/keelson.js",
  "dist/LICENSES.md",
  "dist/THIRD-PARTY-NOTICES.md",
  "dist/cli.js",
  "dist/parts/apply-run-CdCV7bRg.js",
  "dist/sbom.cdx.json",
  "dist/types/index.d.ts",
  "dist/web/assets/index-DVx66jJ4.js",
  "dist/web/index.html",
  "package.json",
];

it("takes a package that is whole", () => {
  expect(fileProblems(whole, manifest)).toEqual([]);
});

it.each([
  ["src/index.ts"],
  ["dist/index.test.js"],
  ["dist/types/plan/plan.d.ts"],
  ["dist/protobuf-facts.json"],
  [".cache/keelson/programs/1"],
  ["dist/index.js.map"],
])("refuses %s", (file) => {
  expect(fileProblems([...whole, file], manifest)).toContain(
    `${file} should not be in the package`,
  );
});

it("refuses types that no export has, and misses those that one has", () => {
  const files = whole.map((file) => file.replace("types/index", "types/other"));
  expect(fileProblems(files, manifest)).toEqual([
    "dist/types/other.d.ts holds the types of no export",
    "dist/types/index.d.ts is missing in the package",
  ]);
});
